import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AnsiReader, type Span } from './ansi.ts';
import { CommandHistory } from './command-history.ts';
import type { CommandEnd, startCommand } from './command-socket.ts';

/** A line of output. */
export interface Line {
  readonly id: number;
  readonly spans: readonly Span[];
}

/** Lines that are rendered together. A full group no longer changes. */
export interface LineGroup {
  readonly id: number;
  readonly lines: readonly Line[];
}

/** A command and its output. */
export interface CommandRun {
  readonly id: number;
  readonly folder: VirtualPath;
  readonly line: string;
  readonly groups: readonly LineGroup[];
  /** The number of lines that were dropped from the start of long output. */
  readonly droppedLines: number;
  readonly state: 'running' | 'stopped' | CommandEnd;
}

/** The state of a shell panel. */
export interface ShellState {
  readonly runs: readonly CommandRun[];
  readonly isRunning: boolean;
}

const groupSize = 100;
/** Maximum number of groups per command, so that the page stays responsive with much output. */
const maxGroups = 50;
const maxRuns = 100;
/** A hidden page renders no frames; its output is processed after this time instead, in ms. */
const hiddenFlushMs = 250;

/** A command and the folder in which it runs. */
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
  const timer = setTimeout(once, hiddenFlushMs);
}

/** Received lines, and the function that confirms them to the sender. */
interface Block {
  readonly lines: readonly string[];
  readonly confirm: () => void;
}

/** Returns `groups` with `lines` appended. */
function appendLines(groups: readonly LineGroup[], lines: readonly Line[], newId: () => number): LineGroup[] {
  const all = [...groups];
  for (let index = 0; index < lines.length;) {
    const last = all.at(-1);
    const freeLines = last ? groupSize - last.lines.length : 0;
    if (!last || freeLines === 0) {
      all.push({ id: newId(), lines: lines.slice(index, index + groupSize) });
      index += groupSize;
    } else {
      all[all.length - 1] = { id: last.id, lines: [...last.lines, ...lines.slice(index, index + freeLines)] };
      index += freeLines;
    }
  }
  return all;
}

/** The commands of a shell panel and their output. Output that arrives between two frames is rendered together. */
export class ShellSession {
  /** The entered lines. */
  readonly history = new CommandHistory();
  readonly #start: Start;
  readonly #listeners = new Set<() => void>();
  #state: ShellState = { runs: [], isRunning: false };
  #pending: Block[] = [];
  #reader = new AnsiReader();
  /** The commands that follow the running one. */
  #next: readonly Step[] = [];
  #isFlushing = false;
  #stop: (() => void) | null = null;
  #draft = '';
  #nextId = 1;

  constructor(start: Start) {
    this.#start = start;
  }

  readonly getSnapshot = (): ShellState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Runs commands in sequence, unless one is running already. The remaining ones are dropped when one is stopped or
   * lost.
   */
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
    this.#setState({ runs: [...this.#state.runs, run].slice(-maxRuns), isRunning: true });
    this.#stop = this.#start(folder, line, {
      onLines: (lines, confirm) => this.#add({ lines, confirm }),
      onEnd: (end) => this.#end(end),
    });
  }

  /** The line that is being typed. */
  get draft(): string {
    return this.#draft;
  }

  setDraft(line: string): void {
    this.#draft = line;
  }

  /** Stops the running command. */
  stop(): void {
    if (!this.#stop) return;
    this.#stop();
    this.#end('stopped');
  }

  /** Removes finished commands; a running one remains, without its output so far. */
  clear(): void {
    this.#flush();
    this.#setState({
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
    this.#pending.push(block);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    beforeNextFrame(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    const blocks = this.#pending;
    if (blocks.length === 0) return;
    this.#pending = [];
    const texts = blocks.flatMap(({ lines }) => lines);
    const skipped = Math.max(0, texts.length - maxGroups * groupSize);
    // Lines that are dropped at once are parsed only for the styles that they set.
    for (const text of texts.slice(0, skipped)) this.#reader.skip(text);
    const lines = texts
      .slice(skipped)
      .map((text): Line => ({ id: this.#newId(), spans: this.#reader.read(text) }));
    this.#change(({ groups, droppedLines }) => {
      const all = appendLines(groups, lines, () => this.#newId());
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
    if (next === undefined) this.#setState({ ...this.#state, isRunning: false });
    else this.#begin(next);
  }

  /** Updates the running command, which is the last one. */
  #change(change: (run: CommandRun) => Partial<CommandRun>): void {
    const last = this.#state.runs.at(-1);
    if (!last) return;
    this.#setState({
      ...this.#state,
      runs: [...this.#state.runs.slice(0, -1), { ...last, ...change(last) }],
    });
  }

  #setState(state: ShellState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
