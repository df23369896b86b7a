import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival, checkProxy } from '@filestead/contract/health';
import { AppError } from '../errors.ts';
import { clientAddress, trustedPeers } from '../http/request/client-address.ts';
import { hijackReply } from '../http/response/hijack-reply.ts';
import type { Call } from '../http/server/route.ts';
import { proofHeader } from './proof-header.ts';

/** The time for which a response that reports its request pauses before its end, in milliseconds. */
export const responsePauseMs = 400;

/**
 * Reads the body and responds with a description of the request as it arrived; the response pauses before its end. Throws `not_found`
 * without a proof.
 */
export async function reportArrival(
  { request, reply, content }: Call<typeof checkProxy>,
  { isProof, trustedProxies }: { isProof: (text: unknown) => boolean; trustedProxies: readonly string[] },
): Promise<undefined> {
  if (!isProof(request.headers[proofHeader])) throw new AppError('not_found');
  let bodyBytes = 0;
  let firstMs = 0;
  for await (const { length } of content) {
    if (bodyBytes === 0) firstMs = performance.now();
    bodyBytes += length;
  }
  const peer = request.raw.socket.remoteAddress ?? '';
  const arrival: Arrival = {
    bodyBytes,
    bodyMs: bodyBytes === 0 ? 0 : performance.now() - firstMs,
    client: clientAddress(request),
    peer,
    isPeerTrusted: trustedPeers(trustedProxies)(peer),
    forwardedFor: request.headers['x-forwarded-for']?.toString() ?? null,
    protocol: request.protocol,
    host: request.host,
  };
  const response = hijackReply(reply, 200, { 'content-type': 'application/json; charset=utf-8' });
  response.write(JSON.stringify(arrival));
  await sleep(responsePauseMs);
  response.end('\n');
  return undefined;
}
