import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AnsiReader, type Span } from './ansi.ts';
import type { CommandEnd, startCommand } from './command-socket.ts';

/** One line of output. */
export interface Line {
  readonly id: number;
  readonly spans: readonly Span[];
}

/** Lines that are shown together. A full group does not change any more. */
export interface LineGroup {
  readonly id: number;
  readonly lines: readonly Line[];
}

/** One command and what it has printed so far. */
export interface CommandRun {
  readonly id: number;
  readonly folder: VirtualPath;
  readonly line: string;
  readonly groups: readonly LineGroup[];
  /** So many lines were left out at the start, because there are too many. */
  readonly droppedLines: number;
  readonly state: 'running' | 'stopped' | CommandEnd;
}

export interface ShellState {
  readonly runs: readonly CommandRun[];
  readonly isRunning: boolean;
}

const groupSize = 100;
/** Of one command, so that a page with a flood of output stays quick. */
const maxGroups = 50;
const maxRuns = 100;
/** A page that is not in sight paints no frames: what has come is taken in after so long all the same, in ms. */
const unseenMs = 250;

/** A command and where it runs. */
export interface Step {
  readonly folder: VirtualPath;
  readonly line: string;
}

type Start = typeof startCommand;

/** Calls `listener` once, before the next frame is painted. */
function beforeNextFrame(listener: () => void): void {
  const once = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    listener();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, unseenMs);
}

/** Lines as they came, and what tells the sender that they are dealt with. */
interface Block {
  readonly lines: readonly string[];
  readonly confirm: () => void;
}

/** `groups` with more lines at the end. */
function withLines(groups: readonly LineGroup[], lines: readonly Line[], newId: () => number): LineGroup[] {
  const all = [...groups];
  for (let at = 0; at < lines.length;) {
    const last = all.at(-1);
    const room = last ? groupSize - last.lines.length : 0;
    if (!last || room === 0) {
      all.push({ id: newId(), lines: lines.slice(at, at + groupSize) });
      at += groupSize;
    } else {
      all[all.length - 1] = { id: last.id, lines: [...last.lines, ...lines.slice(at, at + room)] };
      at += room;
    }
  }
  return all;
}

/** The commands of one shell panel and their output. What comes between two frames is shown at once. */
export class ShellSession {
  readonly #start: Start;
  readonly #listeners = new Set<() => void>();
  #state: ShellState = { runs: [], isRunning: false };
  #waiting: Block[] = [];
  #reader = new AnsiReader();
  /** What runs when this command is done. */
  #next: readonly Step[] = [];
  #isFlushing = false;
  #stop: (() => void) | null = null;
  #nextId = 1;

  constructor(start: Start) {
    this.#start = start;
  }

  readonly getSnapshot = (): ShellState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Runs the commands one after another; only while nothing runs. The rest is left out when one is stopped or lost. */
  run(...[first, ...next]: readonly Step[]): void {
    if (this.#state.isRunning || first === undefined) return;
    this.#next = next;
    this.#begin(first);
  }

  #begin({ folder, line }: Step): void {
    const run: CommandRun = {
      id: this.#newId(),
      folder,
      line,
      groups: [],
      droppedLines: 0,
      state: 'running',
    };
    this.#reader = new AnsiReader();
    this.#show({ runs: [...this.#state.runs, run].slice(-maxRuns), isRunning: true });
    this.#stop = this.#start(folder, line, {
      onLines: (lines, confirm) => this.#add({ lines, confirm }),
      onEnd: (end) => this.#end(end),
    });
  }

  /** Stops what runs. */
  stop(): void {
    if (!this.#stop) return;
    this.#stop();
    this.#end('stopped');
  }

  /** Forgets what is done; a running command stays, without what it has printed. */
  clear(): void {
    this.#flush();
    this.#show({
      ...this.#state,
      runs: this.#state.runs
        .filter(({ state }) => state === 'running')
        .map((run) => Object.assign({}, run, { groups: [], droppedLines: 0 })),
    });
  }

  #newId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  #add(block: Block): void {
    this.#waiting.push(block);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    beforeNextFrame(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    const blocks = this.#waiting;
    if (blocks.length === 0) return;
    this.#waiting = [];
    const texts = blocks.flatMap(({ lines }) => lines);
    const skipped = Math.max(0, texts.length - maxGroups * groupSize);
    // What will not be seen is read for the colours only that last.
    for (const text of texts.slice(0, skipped)) this.#reader.skip(text);
    const lines = texts
      .slice(skipped)
      .map((text): Line => ({ id: this.#newId(), spans: this.#reader.read(text) }));
    this.#change(({ groups, droppedLines }) => {
      const all = withLines(groups, lines, () => this.#newId());
      const dropped = all.splice(0, Math.max(0, all.length - maxGroups));
      return {
        groups: all,
        droppedLines: dropped.reduce((sum, group) => sum + group.lines.length, droppedLines + skipped),
      };
    });
    for (const { confirm } of blocks) confirm();
  }

  #end(state: CommandRun['state']): void {
    this.#flush();
    this.#stop = null;
    this.#change(() => ({ state }));
    const [next, ...others] = state === 'done' ? this.#next : [];
    this.#next = others;
    if (next === undefined) this.#show({ ...this.#state, isRunning: false });
    else this.#begin(next);
  }

  /** Changes the run that is going on, which is the last one. */
  #change(change: (run: CommandRun) => Partial<CommandRun>): void {
    const last = this.#state.runs.at(-1);
    if (!last) return;
    this.#show({ ...this.#state, runs: [...this.#state.runs.slice(0, -1), { ...last, ...change(last) }] });
  }

  #show(state: ShellState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
