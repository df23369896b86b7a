import type { VirtualPath } from '@filestead/contract/virtual-path';
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
/** How long lines are gathered before they are shown, in ms: at first as long as a frame lasts, in a flood longer. */
const gatherMs = { usual: 16, flood: 120 };
/** A command that has printed so many lines is a flood. */
const floodLines = 1000;

/** A command and where it runs. */
export interface Step {
  readonly folder: VirtualPath;
  readonly line: string;
}

type Start = typeof startCommand;

/** The commands of one shell panel and their output. Lines that come close together are shown together. */
export class ShellSession {
  readonly #start: Start;
  readonly #listeners = new Set<() => void>();
  #state: ShellState = { runs: [], isRunning: false };
  #waiting: Line[] = [];
  #printedLines = 0;
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
    const reader = new AnsiReader();
    const run: CommandRun = {
      id: this.#newId(),
      folder,
      line,
      groups: [],
      droppedLines: 0,
      state: 'running',
    };
    this.#printedLines = 0;
    this.#show({ runs: [...this.#state.runs, run].slice(-maxRuns), isRunning: true });
    this.#stop = this.#start(folder, line, {
      onLine: (text) => this.#add({ id: this.#newId(), spans: reader.read(text) }),
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
    this.#waiting = [];
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

  #add(line: Line): void {
    this.#waiting.push(line);
    this.#printedLines += 1;
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setTimeout(
      () => {
        this.#isFlushing = false;
        this.#flush();
      },
      this.#printedLines > floodLines ? gatherMs.flood : gatherMs.usual,
    );
  }

  #flush(): void {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    this.#change((run) => {
      const groups = [...run.groups];
      for (let at = 0; at < lines.length;) {
        const last = groups.at(-1);
        const room = last ? groupSize - last.lines.length : 0;
        if (!last || room === 0) {
          groups.push({ id: this.#newId(), lines: lines.slice(at, at + groupSize) });
          at += groupSize;
        } else {
          groups[groups.length - 1] = { id: last.id, lines: [...last.lines, ...lines.slice(at, at + room)] };
          at += room;
        }
      }
      const dropped = groups.splice(0, Math.max(0, groups.length - maxGroups));
      return {
        groups,
        droppedLines: dropped.reduce((sum, group) => sum + group.lines.length, run.droppedLines),
      };
    });
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
