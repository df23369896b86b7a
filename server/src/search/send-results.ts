import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { acceptsRows } from '../http/request/accepts.ts';
import { sendRows } from './send-rows.ts';

/** A batch of results, or the end. */
export type ResultPart<Row, End> = readonly Row[] | End;

const isRows = <Row, End>(part: ResultPart<Row, End>): part is readonly Row[] => Array.isArray(part);
const incomplete = (): Error => new Error('the search ended without an end row');

/** Collects the parts of a search. */
async function collect<Row, End>(parts: AsyncIterable<ResultPart<Row, End>>): Promise<End & { rows: Row[] }> {
  const rows: Row[] = [];
  for await (const part of parts) {
    if (!isRows(part)) return { ...part, rows };
    rows.push(...part);
  }
  throw incomplete();
}

/** Serializes the parts of a search as one JSON object per line. */
async function* asLines<Row, End>(
  first: ResultPart<Row, End>,
  rest: AsyncIterable<ResultPart<Row, End>>,
): AsyncGenerator<string> {
  const text = (part: ResultPart<Row, End>): string =>
    (isRows(part) ? part : [part]).map((row) => `${JSON.stringify(row)}\n`).join('');
  yield text(first);
  for await (const part of rest) yield text(part);
}

/**
 * Returns the results of a search as one object; for a client that accepts NDJSON, sends them line by line as they are found and
 * returns undefined. Errors before the first part become the response.
 */
export async function sendResults<Row, End>(
  parts: AsyncGenerator<ResultPart<Row, End>>,
  { request, reply, clock }: { request: FastifyRequest; reply: FastifyReply; clock: Clock },
): Promise<(End & { rows: Row[] }) | undefined> {
  if (!acceptsRows(request.headers.accept)) return collect(parts);
  const first = await parts.next();
  if (first.done === true) throw incomplete();
  await sendRows(asLines(first.value, parts), { request, reply, clock });
  return undefined;
}
