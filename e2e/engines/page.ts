import { setTimeout as sleep } from 'node:timers/promises';
import type { Driver, InputSource } from './driver.ts';
import { type Found, type Target, findInPage, roleSelectors, watchErrors } from './in-page.ts';

/** The maximum time until an element is as expected, in ms. */
const waitMs = 20_000;
const pollMs = 50;

/** Codes of keys in the W3C WebDriver protocol. */
const keyCodes: Readonly<Record<string, string>> = {
  Control: '\uE009',
  Shift: '\uE008',
  Alt: '\uE00A',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Home: '\uE011',
  End: '\uE010',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  F2: '\uE032',
  F10: '\uE03A',
  Delete: '\uE017',
};

const selectorOf = (role: Target['role']): string => {
  if (role === 'entry') return '[data-id] [data-part=name]';
  if (role === 'listing') return '[role=grid], [role=listbox]';
  if (role === 'text') return 'p, span, div, h1, h2, li';
  return roleSelectors[role];
};

const down = (value: string): object => ({ type: 'keyDown', value });
const up = (value: string): object => ({ type: 'keyUp', value });

/** Waits until `read` returns something else than null. Throws with `title` otherwise. */
export async function waitFor<T>(
  title: string,
  read: () => Promise<T | null>,
  describe: () => Promise<string> = () => Promise.resolve(''),
): Promise<T> {
  const end = performance.now() + waitMs;
  for (;;) {
    const value = await read();
    if (value !== null) return value;
    if (performance.now() > end) throw new Error(`${title}: not within ${waitMs} ms. ${await describe()}`);
    await sleep(pollMs);
  }
}

/** A page of the product in any browser, used as by a user: by roles and names, pointer and keys. */
export class EnginePage {
  readonly driver: Driver;
  readonly #url: string;

  constructor(driver: Driver, url: string) {
    this.driver = driver;
    this.#url = url;
  }

  /** Loads a path of the product. */
  async open(path: string): Promise<void> {
    await this.driver.navigate(`${this.#url}${path}`);
    await this.driver.evaluate(`(${watchErrors.toString()})() ?? ''`);
  }

  /** Evaluates an expression in the page and returns its value, which can be represented in JSON. */
  async read(expression: string): Promise<unknown> {
    return JSON.parse(await this.driver.evaluate(`JSON.stringify((${expression}) ?? null)`));
  }

  /** Returns the errors of the current document. */
  async errors(): Promise<unknown> {
    return this.read('window.engineErrors');
  }

  async #find({ role, name }: Target): Promise<Found[]> {
    const [text, isPattern] = typeof name === 'string' ? [name, false] : [name.source, true];
    const args = [selectorOf(role), text, isPattern].map((value) => JSON.stringify(value)).join(', ');
    return (await this.read(`(${findInPage.toString()})(${args})`)) as Found[];
  }

  #describe = async (): Promise<string> => {
    const shown = await this.read('location.pathname + " " + document.body.innerText.slice(0, 1500)');
    return `The page shows ${String(shown)}`;
  };

  /** Waits until an element is shown and `isExpected`. */
  expect(
    role: Target['role'],
    name: Target['name'],
    isExpected: (found: Found) => boolean = () => true,
  ): Promise<Found> {
    const read = async (): Promise<Found | null> =>
      (await this.#find({ role, name })).find(isExpected) ?? null;
    return waitFor(`${role} ${String(name)}`, read, this.#describe);
  }

  /** Waits until no such element is shown. */
  async expectNone(role: Target['role'], name: Target['name']): Promise<void> {
    const read = async (): Promise<true | null> =>
      (await this.#find({ role, name })).length === 0 ? true : null;
    await waitFor(`no ${role} ${String(name)}`, read, this.#describe);
  }

  /** Waits until an expression in the page has the value. */
  async expectValue(expression: string, value: unknown): Promise<void> {
    const expected = JSON.stringify(value);
    const read = async (): Promise<true | null> =>
      JSON.stringify(await this.read(expression)) === expected ? true : null;
    await waitFor(`${expression} is ${expected}`, read, async () => String(await this.read(expression)));
  }

  /** Clicks an element once it is uncovered and has stopped moving. */
  async press(role: Target['role'], name: Target['name'], count = 1): Promise<void> {
    let last = '';
    const { at } = await this.expect(role, name, (found) => {
      const position = JSON.stringify(found.at);
      const isStill = found.at !== null && position === last;
      last = position;
      return isStill;
    });
    const click = [
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.driver.perform([
      {
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', duration: 0, origin: 'viewport', ...at },
          ...Array.from({ length: count }, () => click).flat(),
        ],
      },
    ]);
  }

  /** Opens an entry of the listing by a double click. */
  async openEntry(name: string): Promise<void> {
    await this.press('entry', name, 2);
  }

  /** Selects an entry of the listing by a click. */
  async select(name: string): Promise<void> {
    await this.press('entry', name);
    await this.expect('entry', name, ({ isSelected }) => isSelected);
  }

  #pressKeys(actions: readonly object[]): Promise<void> {
    const source: InputSource = { type: 'key', id: 'keyboard', actions };
    return this.driver.perform([source]);
  }

  /** Presses a key, with modifiers as in `Control+z`. */
  async key(combination: string): Promise<void> {
    const codes = combination.split('+').map((key) => keyCodes[key] ?? key);
    await this.#pressKeys([...codes.map(down), ...codes.toReversed().map(up)]);
  }

  async type(text: string): Promise<void> {
    await this.#pressKeys([...text].flatMap((character) => [down(character), up(character)]));
  }

  /** Replaces the content of a field. */
  async fill(name: string, text: string): Promise<void> {
    await this.press('textbox', name);
    await this.key('Control+a');
    await this.type(text);
  }
}
