import { type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { notReadyReasons } from '@filestead/contract/health';
import type { Config } from '../../config/config.ts';
import { parseInteger } from '../../config/parse-values.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';

/** Exit status if no server listens at the configured address. */
const nothingListens = 2;
const responseTimeoutMs = 5_000;
const retryMs = 100;

/** Health of the server, with the reason if it is not ready. */
type Health =
  { readonly state: 'ready' } | { readonly state: 'not ready' | 'nothing listens'; readonly reason: string };

/** Returns the host at which this machine reaches a server that listens at the address. */
function hostOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

const placeOf = ({ socket, address, port }: Config): string =>
  socket === null ? `${address} port ${port}` : `socket ${socket}`;

/** Error codes of failed connections. */
const unreachable = new Set(['ECONNREFUSED', 'ENOENT', 'EADDRNOTAVAIL', 'EHOSTUNREACH', 'ENOTFOUND']);

/** Maximum length of a response that is read, in characters. */
const maxResponseLength = 4_096;

/** Returns the reasons in the response of a server that is not ready, as `: a, b`; empty without any. */
async function readReasons(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const piece of response.setEncoding('utf8')) {
      text += String(piece);
      if (text.length > maxResponseLength) return '';
    }
    const { reasons } = JSON.parse(text) as { reasons?: unknown };
    const known = notReadyReasons.filter((reason) => Array.isArray(reasons) && reasons.includes(reason));
    return known.length === 0 ? '' : `: ${known.join(', ')}`;
  } catch {
    return '';
  }
}

/** Requests the health of the configured server once. */
export function requestHealth(config: Config): Promise<Health> {
  const path = `${config.baseUrl}/health/ready`;
  const target =
    config.socket === null
      ? { host: hostOf(config.address), port: config.port, path }
      : { socketPath: config.socket, path };
  const signal = AbortSignal.timeout(responseTimeoutMs);
  return new Promise((resolve) => {
    const healthRequest =
      config.certFile === null
        ? request({ ...target, signal })
        : // The certificate is valid for the public host. Nothing secret is sent, and only the status is read.
          secureRequest({ ...target, signal, rejectUnauthorized: false });
    healthRequest.once('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status === 200) {
        response.resume();
        resolve({ state: 'ready' });
        return;
      }
      void readReasons(response).then((reasons) =>
        resolve({ state: 'not ready', reason: `${path} answers ${status}${reasons}` }),
      );
    });
    healthRequest.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) {
        resolve({ state: 'not ready', reason: `no response within ${responseTimeoutMs / 1_000} seconds` });
      } else if (unreachable.has(error.code ?? '')) {
        resolve({ state: 'nothing listens', reason: `nothing listens at ${placeOf(config)}` });
      } else {
        resolve({ state: 'not ready', reason: `${placeOf(config)}: ${error.message}` });
      }
    });
    healthRequest.end();
  });
}

function waitMsOf(text: string | undefined): number {
  if (text === undefined) return 0;
  try {
    return parseInteger(text, 0, 3_600) * 1_000;
  } catch (error) {
    throw new CliError('--wait: expected seconds, a whole number from 0 to 3600', { cause: error });
  }
}

/**
 * `healthcheck`: reports whether the configured server is ready. Throws {@link CliError} with the exit status
 * if it is not.
 */
export async function checkHealth(call: CommandCall): Promise<void> {
  const waitMs = waitMsOf(call.options.text('wait'));
  const flags = call.options.names.filter((name) => name !== 'wait');
  const config = await configOf(call, { flags });
  if (config.socket === null && config.port === 0) {
    throw new CliError('--port: specify the port that the server listens on; 0 means any free port');
  }
  const end = performance.now() + waitMs;
  let health = await requestHealth(config);
  while (health.state !== 'ready' && performance.now() < end) {
    await sleep(retryMs);
    health = await requestHealth(config);
  }
  if (health.state === 'ready') call.terminal.print('ready');
  else throw new CliError(health.reason, { status: health.state === 'nothing listens' ? nothingListens : 1 });
}
