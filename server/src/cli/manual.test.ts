import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'shell-quote';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFormerDatabase } from '../../test/fixtures/filebrowser-data.ts';
import { type TestCli, openCli } from '../../test/run-cli.ts';
import { options as serverOptions } from '../config/options.ts';
import { commands } from './commands.ts';
import { configOptions, storableOptions } from './config/config-options.ts';

const manual = readFileSync(new URL('../../../docs/reference/command-line.md', import.meta.url), 'utf8');
const examples = [...manual.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

let cli: TestCli;
/** The server for the examples of health checks. */
let server: Server;
beforeEach(async () => {
  cli = await openCli();
  server = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.close();
  await cli.remove();
});

/**
 * Parses one shell line of the manual: variables before the program, an optional `echo … |` in front, and an optional
 * `> file` at the end.
 */
function parseLine(line: string): { args: string[]; stdin: string; env: Record<string, string> } {
  const words = parse(line).map((part) =>
    typeof part === 'string' ? part : 'op' in part ? { op: part.op } : '',
  );
  const pipe = words.findIndex((word) => typeof word === 'object' && word.op === '|');
  const input = words.slice(0, Math.max(pipe, 0)).filter((word) => typeof word === 'string');
  const rest = words.slice(pipe + 1);
  const redirection = rest.findIndex((word) => typeof word === 'object' && word.op === '>');
  const command = (redirection < 0 ? rest : rest.slice(0, redirection)).filter(
    (word) => typeof word === 'string',
  );
  const start = command.indexOf('filestead');
  const env = Object.fromEntries(
    command.slice(0, start).map((word) => {
      const [name = '', ...value] = word.split('=');
      return [name, value.join('=')];
    }),
  );
  return { args: command.slice(start + 1), stdin: input.slice(1).join(' '), env };
}

test('every example of the manual works, in order', async () => {
  await writeFile(join(cli.folder, 'filebrowser.db'), writeFormerDatabase({}));
  expect(examples.length).toBeGreaterThan(25);
  const { port } = server.address() as AddressInfo;
  // The tests of these commands have entries and jobs with known ids.
  for (const line of examples.filter((example) => !/(trash|versions) restore|jobs cancel/.test(example))) {
    const { args, stdin, env } = parseLine(line);
    // The data folder of the examples has no running server: doctor would report that another program has its port.
    const FILESTEAD_PORT = args.includes('doctor') ? '0' : String(port);
    const { status, err } = await cli.run(args, { stdin, env: { ...env, FILESTEAD_PORT } });
    expect({ line, status, err }).toMatchObject({ line, status: 0 });
  }
});

test('the manual names every command and every option', () => {
  const startUp = new Set<string>(storableOptions.map(({ name }) => name));
  for (const { path, options } of commands) {
    expect(manual, path).toContain(`\`${path}`);
    for (const { name, isHidden } of options) {
      if (isHidden !== true && !startUp.has(name))
        expect(manual, `${path} --${name}`).toContain(`\`--${name}\``);
    }
  }
});

test('the manual names every start-up option that cannot be stored', () => {
  const [, exceptions = ''] = /^Start-up options,.*? except (.*?)\. They are\s/ms.exec(manual) ?? [];
  // A note in parentheses may name another option.
  const named = exceptions.replaceAll(/\(.*?\)/g, '').matchAll(/`--(\w+)`/g);
  const stored = new Set(configOptions.map(({ name }) => name));
  expect(Array.from(named, ([, name]) => name).sort()).toEqual(
    serverOptions.flatMap(({ name }) => (stored.has(name) ? [] : [name])).sort(),
  );
});

test('every command has an example', () => {
  const shown = examples.map((line) => parseLine(line).args.join(' '));
  for (const { path } of commands) {
    expect(
      shown.some((line) => line === path || line.startsWith(`${path} `)),
      path,
    ).toBe(true);
  }
});
