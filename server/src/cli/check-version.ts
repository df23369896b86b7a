import * as z from 'zod/mini';
import { releasesAddress, version } from '../version.ts';
import { type CommandCall, CliError } from './command.ts';

const responseTimeoutMs = 10_000;
/** Maximum length of the document about the newest release, in bytes. */
const maxDocumentBytes = 1024 * 1024;

/** The document of a package registry or of a release on a forge. */
const Release = z.union([z.object({ version: z.string() }), z.object({ tag_name: z.string() })]);

const versionPattern = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Explanations of failed connections by error code. */
const meanings: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is unknown; is this machine offline?',
  EAI_AGAIN: 'its name cannot be resolved; is this machine offline?',
  ENETUNREACH: 'the network is unreachable; is this machine offline?',
  EHOSTUNREACH: 'the network is unreachable; is this machine offline?',
  ECONNREFUSED: 'nothing listens there',
};

/** Returns the reason for a failed request in a few words. */
function failureReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${responseTimeoutMs / 1_000} seconds`;
  // A failed connection is the cause of a general error of `fetch`.
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error.message;
  const { code, message } = error.cause as Error & { code?: string };
  return meanings[code ?? ''] ?? message;
}

/** Reads a response as text. Throws if it is longer than {@link maxDocumentBytes}. */
async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > maxDocumentBytes) throw new Error(`the document is larger than ${maxDocumentBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Returns the numbers of a version. Throws if it is not one of a release. */
function numbersOf(text: string): number[] {
  const match = versionPattern.exec(text);
  if (match === null) throw new Error('the document names no version');
  return match.slice(1).map(Number);
}

/** Returns the version in the document at `address`, without a leading v. */
async function newestVersion(address: string): Promise<string> {
  const response = await fetch(address, {
    headers: { accept: 'application/json', 'user-agent': `filestead/${version}` },
    signal: AbortSignal.timeout(responseTimeoutMs),
  });
  if (!response.ok) throw new Error(`the response is ${response.status}`);
  const text = await readText(response);
  let document: z.output<typeof Release>;
  try {
    document = z.parse(Release, JSON.parse(text));
  } catch (error) {
    throw new Error('the document names no version', { cause: error });
  }
  return numbersOf('version' in document ? document.version : document.tag_name).join('.');
}

/** Whether the version `a` is lower than `b`. */
function isLower(a: string, b: string): boolean {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const index = left.findIndex((number, position) => number !== right[position]);
  return index !== -1 && (left[index] ?? 0) < (right[index] ?? 0);
}

/** `version --check`: asks for the newest version and compares it with this one. Throws {@link CliError} if that fails. */
export async function checkVersion({ options, terminal }: CommandCall): Promise<void> {
  const address = options.text('from') ?? terminal.env['FILESTEAD_RELEASES'] ?? releasesAddress;
  if (address === null || address === '') {
    throw new CliError(
      'this build names no address with the newest version; name one with --from or FILESTEAD_RELEASES',
    );
  }
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new CliError(`--from: “${address}” is not an address; it begins with https://`);
  }
  let newest: string;
  try {
    newest = await newestVersion(address);
  } catch (error) {
    throw new CliError(`the newest version could not be read from ${address}: ${failureReasonOf(error)}`, {
      cause: error,
    });
  }
  terminal.print(`Filestead ${version}`);
  if (isLower(version, newest)) {
    terminal.print(`Filestead ${newest} is available; see docs/guides/upgrade.md`);
  } else {
    terminal.print('This is the newest version.');
  }
}
