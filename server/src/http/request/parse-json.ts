import { isYieldDue, yieldToEventLoop } from '../../scheduling/event-loop.ts';
import { AppError } from '../../errors.ts';
import type { ListPosition } from './json-scanner.ts';

/** Parses UTF-8 bytes as one JSON value. Throws `bad_request`. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw new AppError('bad_request', 'the body is not JSON', { cause: error });
  }
}

const [open, close] = [Buffer.from('['), Buffer.from(']')];

/** Parses the members of a list in parts, yielding to other requests in between. */
async function parseList(bytes: Buffer, { parts }: ListPosition): Promise<unknown[]> {
  const members: unknown[] = [];
  for (const { start, end } of parts) {
    const parsed = parseJson(Buffer.concat([open, bytes.subarray(start, end), close]));
    // Text in brackets parses to a list. Only a whole list may be empty, because a comma must be followed by
    // a member.
    const values = parsed as unknown[];
    if (values.length === 0 && parts.length > 1) throw new AppError('bad_request', 'the body is not JSON');
    for (const value of values) members.push(value);
    if (isYieldDue()) await yieldToEventLoop();
  }
  return members;
}

/**
 * Parses a JSON body whose outermost object contains long lists at `positions`, yielding to other requests
 * between the parts of a list. The result is the same as that of `JSON.parse`. Throws `bad_request`.
 */
export async function parseJsonInParts(bytes: Buffer, positions: readonly ListPosition[]): Promise<unknown> {
  const lists: unknown[][] = [];
  const rest: Buffer[] = [];
  let from = 0;
  for (const [index, position] of positions.entries()) {
    const [start, end] = [position.parts[0]?.start ?? from, position.parts.at(-1)?.end ?? from];
    lists.push(await parseList(bytes, position));
    // The members of the list are replaced by its index.
    rest.push(bytes.subarray(from, start), Buffer.from(String(index)));
    from = end;
  }
  rest.push(bytes.subarray(from));
  const outer = parseJson(Buffer.concat(rest));
  if (typeof outer !== 'object' || outer === null) return outer;
  for (const member of Object.values(outer) as unknown[]) {
    if (!Array.isArray(member)) continue;
    const members = lists[Number(member.pop())] ?? [];
    for (const value of members) member.push(value);
  }
  return outer;
}
