import http, { type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { notReadyReasons } from '@filestead/contract/values/not-ready-reasons';
import type { Config } from '../../config/config.ts';
import { parseInteger } from '../../config/parse-values.ts';
import { proofHeader } from '../../operations/proof-header.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';

/** Exit status if no server listens at the configured address. */
const nothingListens = 2;
const responseTimeoutMs = 5_000;
const retryMs = 100;

/** Health of the server, with its version if the caller has proved that it may see it, or the reason if it is not ready. */
type Health =
  | { readonly state: 'ready'; readonly version: string | null }
  | { readonly state: 'not ready' | 'nothing listens'; readonly reason: string };

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
const versionPattern = /^[0-9A-Za-z.+-]{1,40}$/;

/** The content of a response to a health check. */
interface Body {
  readonly reasons: readonly string[];
  readonly version: string | null;
}

const listOf = (reasons: readonly string[]): string =>
  reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;

/** Reads the reasons and the version in a response; those of another program count as none. */
async function readBody(response: IncomingMessage): Promise<Body> {
  let text = '';
  try {
    for await (const piece of response.setEncoding('utf8')) {
      text += String(piece);
      if (text.length > maxResponseLength) return { reasons: [], version: null };
    }
    const { reasons, version } = JSON.parse(text) as { reasons?: unknown; version?: unknown };
    return {
      reasons: notReadyReasons.filter((reason) => Array.isArray(reasons) && reasons.includes(reason)),
      version: typeof version === 'string' && versionPattern.test(version) ? version : null,
    };
  } catch {
    return { reasons: [], version: null };
  }
}

/** Requests the health of the configured server once; with a proof that this program may read the data folder, its version too. */
export async function requestHealth(config: Config, proof?: string): Promise<Health> {
  const path = `${config.baseUrl}/health/ready`;
  const headers = proof === undefined ? {} : { [proofHeader]: proof };
  const target =
    config.socket === null
      ? { host: hostOf(config.address), port: config.port, path, headers }
      : { socketPath: config.socket, path, headers };
  // Loading the module for TLS takes longer than the request.
  const { request } = config.certFile === null ? http : await import('node:https');
  const signal = AbortSignal.timeout(responseTimeoutMs);
  return new Promise((resolve) => {
    // The certificate is valid for the public host. The only secret that is sent is a proof for this moment.
    const healthRequest = request({ ...target, signal, rejectUnauthorized: false });
    healthRequest.once('response', (response) => {
      const status = response.statusCode ?? 0;
      const healthOf = ({ reasons, version }: Body): Health =>
        status === 200
          ? { state: 'ready', version }
          : { state: 'not ready', reason: `${path} answers ${status}${listOf(reasons)}` };
      void readBody(response).then((body) => resolve(healthOf(body)));
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
