import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Driver, commandTimeoutMs, startProgram } from './driver.ts';

/** Preferences of a Firefox that sends no requests of its own, shows no animations and no dialogs. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.download.folderList': 2,
  'browser.download.useDownloadDir': true,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'intl.accept_languages': 'en-GB',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'ui.prefersReducedMotion': 1,
};

interface Response {
  readonly id: number | null;
  readonly type: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

type Send = (method: string, params: object) => Promise<unknown>;

/** Connects to the WebDriver BiDi server at `url`. Returns the function that sends a command and resolves to its result. */
async function connect(url: string): Promise<{ send: Send; close: () => void }> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no connection to ${url}`)), { once: true });
  });
  const waiting = new Map<number, (response: Response) => void>();
  socket.addEventListener('message', ({ data }) => {
    const response = JSON.parse(String(data)) as Response;
    if (response.id !== null) waiting.get(response.id)?.(response);
  });
  let lastId = 0;
  const send: Send = (method, params) => {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no response`)), commandTimeoutMs);
      waiting.set(id, ({ type, result, error, message }) => {
        clearTimeout(timer);
        waiting.delete(id);
        if (type === 'success') resolve(result);
        else reject(new Error(`${method}: ${error}: ${message}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  return { send, close: () => socket.close() };
}

interface Evaluation {
  readonly type: 'success' | 'exception';
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

/** Starts Firefox without a window and controls it by WebDriver BiDi. */
export async function startFirefox(program: string): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'filestead-firefox-'));
  const profile = join(home, 'profile');
  const downloads = join(home, 'downloads');
  await Promise.all([mkdir(profile), mkdir(downloads)]);
  const lines = Object.entries({ ...preferences, 'browser.download.dir': downloads }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await writeFile(join(profile, 'user.js'), lines.join(''));
  const browser = startProgram(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'],
    { HOME: home, MOZ_CRASHREPORTER_DISABLE: '1' },
  );
  const close = async (): Promise<void> => {
    await browser.end();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [, url = ''] = await browser.matchOutput(/WebDriver BiDi listening on (ws:\/\/\S+)/u);
    const { send, close: disconnect } = await connect(`${url}/session`);
    await send('session.new', { capabilities: {} });
    const tree = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
    const context = tree.contexts[0]?.context ?? '';
    await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } });
    return {
      downloads,
      async navigate(address) {
        await send('browsingContext.navigate', { context, url: address, wait: 'complete' });
      },
      async goBack() {
        await send('browsingContext.traverseHistory', { context, delta: -1 });
      },
      async evaluate(expression) {
        const { result, exceptionDetails } = (await send('script.evaluate', {
          expression,
          target: { context },
          awaitPromise: false,
        })) as Evaluation;
        if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
        return result?.value ?? '';
      },
      async perform(actions) {
        await send('input.performActions', { context, actions });
      },
      async chooseFile(selector, path) {
        const locator = { type: 'css', value: selector };
        const { nodes } = (await send('browsingContext.locateNodes', { context, locator })) as {
          nodes: { sharedId: string }[];
        };
        await send('input.setFiles', { context, element: { sharedId: nodes[0]?.sharedId }, files: [path] });
      },
      async close() {
        disconnect();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
