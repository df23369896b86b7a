import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Arrival, checkProxy as endpoint } from '@filestead/contract/health';
import * as z from 'zod/mini';
import type { Config } from '../../config/config.ts';
import { proofHeader } from '../../operations/proof-header.ts';
import { responsePauseMs } from '../../operations/report-arrival.ts';
import { explainError } from '../../start/explain-error.ts';
import { createProof } from '../../database/proxy-proof.ts';
import { isServerRunning } from '../open-data.ts';
import { type Finding, failed, passed } from './finding.ts';

const responseTimeoutMs = 15_000;
/** The size of the body, twice the limit that nginx has by default. */
const bodyBytes = 2 * 1024 * 1024;
/** The pause in the middle of the body, in milliseconds. */
const bodyPauseMs = 400;
/** A shorter pause than this, in milliseconds, means that the proxy has buffered the parts before and after it. */
const leastPauseMs = 200;

const Arrived = endpoint.responses[200].json;

/** The response to a request through the proxy, with the report of the server if the request reached it. */
interface ProxyResponse {
  readonly status: number;
  readonly arrival: Arrival | null;
  /** Time between the first and the last part of the response in milliseconds. */
  readonly responseMs: number;
}

/** Begins a request to an address. */
const begin = (url: URL, options: RequestOptions): ClientRequest =>
  (url.protocol === 'https:' ? secureRequest : request)(url, {
    ...options,
    agent: false,
    signal: AbortSignal.timeout(responseTimeoutMs),
  });

/** Resolves to the response. Rejects if the connection fails. */
const responseOf = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });

/** Returns the report in a response; null for a response of another program. */
function readArrival(text: string): Arrival | null {
  try {
    return z.parse(Arrived, JSON.parse(text));
  } catch {
    return null;
  }
}

/** Sends a request with a body that pauses in its middle. */
async function sendThroughProxy(base: string, proof: string, length: number): Promise<ProxyResponse> {
  const sent = begin(new URL(`${base}${endpoint.path}`), {
    method: endpoint.method,
    headers: { [proofHeader]: proof, 'content-length': length, 'content-type': 'application/octet-stream' },
  });
  const responding = responseOf(sent);
  const half = Buffer.alloc(Math.floor(length / 2));
  sent.write(half);
  // A proxy that refuses the body may respond, or close the connection, before its end.
  await Promise.race([sleep(bodyPauseMs), responding.catch(() => undefined)]);
  sent.end(Buffer.alloc(length - half.length));
  const response = await responding;
  let text = '';
  let firstMs = performance.now();
  let lastMs = firstMs;
  try {
    for await (const part of response.setEncoding('utf8')) {
      lastMs = performance.now();
      if (text === '') firstMs = lastMs;
      text += String(part);
    }
  } catch (error) {
    if (response.statusCode === 200) throw error;
  }
  const status = response.statusCode ?? 0;
  const arrival = status === 200 ? readArrival(text) : null;
  return { status, arrival, responseMs: lastMs - firstMs };
}

/** Whether a WebSocket handshake reaches the server, which refuses it without a session. */
async function passesHandshake(base: string): Promise<boolean> {
  const sent = begin(new URL(`${base}/api/command/`), {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    },
  });
  sent.end();
  const response = await responseOf(sent);
  response.resume();
  return response.headers['x-handshake'] === 'websocket';
}

const nginx = (line: string): string => `in nginx: ${line};`;

/** Compares the arrival of a request with the address that it was sent to. */
function compareArrival(
  url: URL,
  { arrival, responseMs }: { arrival: Arrival; responseMs: number },
): Finding[] {
  const { peer, forwardedFor, isPeerTrusted, protocol, host, bodyMs } = arrival;
  const warn = (text: string, fix: string): Finding => failed('warn', 'proxy', text, fix);
  const found: Finding[] = [];
  if (forwardedFor === null) {
    found.push(
      warn(
        `no X-Forwarded-For arrives from ${peer}: all visitors count as one address`,
        nginx('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for'),
      ),
    );
  } else if (!isPeerTrusted) {
    found.push(
      warn(
        `X-Forwarded-For of ${peer} is not trusted: all visitors count as one address`,
        `--trustedProxies ${peer}`,
      ),
    );
  }
  if (protocol !== url.protocol.slice(0, -1)) {
    const fix = isPeerTrusted
      ? nginx('proxy_set_header X-Forwarded-Proto $scheme')
      : `--trustedProxies ${peer}, and ${nginx('proxy_set_header X-Forwarded-Proto $scheme')}`;
    found.push(warn(`the request arrives as ${protocol}: cookies and links are made for ${protocol}`, fix));
  }
  if (!URL.canParse(`${url.protocol}//${host}`) || new URL(`${url.protocol}//${host}`).host !== url.host) {
    found.push(
      warn(
        `the request arrives for the host “${host}”: WebSockets and links of this address are refused or wrong`,
        nginx('proxy_set_header Host $http_host'),
      ),
    );
  }
  if (bodyMs < leastPauseMs) {
    found.push(
      warn(
        'uploads are collected before they are passed on: their progress is wrong, and they need space twice',
        nginx('proxy_request_buffering off'),
      ),
    );
  }
  if (responseMs < Math.min(leastPauseMs, responsePauseMs)) {
    found.push(
      warn(
        'responses are collected before they are passed on: changes of open folders arrive late',
        nginx('proxy_buffering off'),
      ),
    );
  }
  return found;
}

/** Explains a request that did not reach the server. */
function explainStatus(status: number, text: string): Finding {
  if (status === 413) {
    const reason = `bodies of ${bodyBytes / 1024 / 1024} MiB are refused (413): uploads fail`;
    return failed('error', 'proxy', `${text}: ${reason}`, nginx('client_max_body_size 0'));
  }
  const fix =
    'check the address and proxy_pass; give doctor the options of the running server, such as --data';
  return failed('error', 'proxy', `${text} does not lead to this server: it answers ${status}`, fix);
}

/** Sends a request through the reverse proxy at the public address `text`, and reports how it arrives at the running server. */
export async function checkProxy(config: Config, text: string): Promise<Finding[]> {
  const base = text.replace(/\/+$/, '');
  const url = URL.canParse(base) ? new URL(base) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    return [
      failed('error', 'proxy', `--url: “${text}” is not an address`, '--url https://files.example.org'),
    ];
  }
  if (!isServerRunning(config)) {
    return [failed('error', 'proxy', `${text} was not tried: the server is not running`, 'start the server')];
  }
  const length = config.maxUploadBytes > 0 ? Math.min(bodyBytes, config.maxUploadBytes) : bodyBytes;
  const proof = createProof(config.data);
  try {
    const { status, arrival, responseMs } = await sendThroughProxy(base, proof.text, length);
    if (arrival === null) return [explainStatus(status, text)];
    const found = compareArrival(url, { arrival, responseMs });
    const path = url.pathname.replace(/\/$/, '');
    if (path !== config.baseUrl) {
      const reason = `${text} leads to this server, whose links begin with ${config.baseUrl || '/'}`;
      found.push(failed('warn', 'proxy', reason, `--baseURL ${path || '/'}`));
    }
    if (config.isExecEnabled && !(await passesHandshake(base))) {
      const reason = 'WebSocket handshakes do not arrive: commands of users fail';
      const fix = nginx('proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"');
      found.push(failed('warn', 'proxy', reason, fix));
    }
    if (found.length > 0) return found;
    return [passed('proxy', `${text}: requests arrive whole, from ${arrival.client}`)];
  } catch (error) {
    const reason = `${text} cannot be reached from here: ${explainError(error)}`;
    return [failed('error', 'proxy', reason, 'check the name, the port and the certificate of the proxy')];
  } finally {
    proof.remove();
  }
}
