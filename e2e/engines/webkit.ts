import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.ts';
import { type Driver, commandTimeoutMs, startProgram } from './driver.ts';

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

/** Returns the function that sends a command to the WebDriver server at `url` and resolves to its value. */
const clientOf =
  (url: string): Call =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(commandTimeoutMs),
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
    if (!response.ok) throw new Error(`${method} ${path}: ${value?.error}: ${value?.message}`);
    return value;
  };

/** Key of the reference of an element in the W3C WebDriver protocol. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** The programs of WebKitGTK and the X server in which it runs. */
export interface WebKitPrograms {
  readonly driver: string;
  readonly browser: string;
  readonly display: string;
}

/** Starts WebKitGTK's small browser in a virtual display and controls it by W3C WebDriver. */
export async function startWebKit(programs: WebKitPrograms): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'filestead-webkit-'));
  const downloads = join(home, 'downloads');
  const config = join(home, 'config');
  await Promise.all([mkdir(downloads), mkdir(join(config, 'gtk-3.0'), { recursive: true })]);
  // On a busy machine the clicks of a double click arrive late.
  const settings = '[Settings]\ngtk-enable-animations=0\ngtk-double-click-time=1500\n';
  await writeFile(join(config, 'gtk-3.0', 'settings.ini'), settings);
  await writeFile(join(config, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);

  const screen = startProgram(
    programs.display,
    ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    {},
  );
  const started = [screen];
  const close = async (): Promise<void> => {
    for (const program of started.toReversed()) await program.end();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [, number = ''] = await screen.matchOutput(/^(\d+)\n/mu);
    const port = await findFreePort();
    const driver = startProgram(programs.driver, ['-p', String(port)], {
      HOME: home,
      XDG_CONFIG_HOME: config,
      XDG_RUNTIME_DIR: home,
      DISPLAY: `:${number}`,
      GDK_BACKEND: 'x11',
      LANG: 'C.UTF-8',
      LANGUAGE: 'en_GB',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      // WebKit's own sandbox refuses to start as root.
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
    });
    started.push(driver);
    const call = clientOf(`http://127.0.0.1:${port}`);
    await waitUntilListening(call);
    const { sessionId } = (await call('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': {
            binary: programs.browser,
            args: ['--automation', '--geometry=1280x880'],
          },
        },
      },
    })) as { sessionId: string };
    const session = `/session/${sessionId}`;
    return {
      downloads,
      async navigate(url) {
        await call('POST', `${session}/url`, { url });
      },
      async goBack() {
        await call('POST', `${session}/back`, {});
      },
      async evaluate(expression) {
        const script = `return (${expression});`;
        return String(await call('POST', `${session}/execute/sync`, { script, args: [] }));
      },
      async perform(actions) {
        await call('POST', `${session}/actions`, { actions });
      },
      async chooseFile(selector, path) {
        const element = (await call('POST', `${session}/element`, {
          using: 'css selector',
          value: selector,
        })) as Record<string, string>;
        await call('POST', `${session}/element/${element[elementKey]}/value`, { text: path });
      },
      async close() {
        await call('DELETE', session);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Waits until the WebDriver server responds. */
async function waitUntilListening(call: Call): Promise<void> {
  const end = performance.now() + commandTimeoutMs;
  for (;;) {
    try {
      await call('GET', '/status');
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(20);
    }
  }
}
