/** What a line of the report is about. */
export type ReportKind =
  'user' | 'link' | 'setting' | 'rule' | 'command' | 'sign-in' | 'start-up option' | 'record';

/** One thing that did not arrive as it was. */
export interface ReportItem {
  readonly kind: ReportKind;
  /** Such as a user's name, or the place of a setting. */
  readonly name: string;
  /** `changed`: it arrived, but not as it was. `skipped`: it did not. `note`: it arrived, and there is something to know. */
  readonly outcome: 'changed' | 'skipped' | 'note';
  readonly reason: string;
}

/** What an import did or, in a dry run, would do. */
export interface ImportReport {
  readonly sources: readonly string[];
  readonly isDryRun: boolean;
  readonly arrived: {
    users: number;
    usersReplaced: number;
    links: number;
    rules: number;
    hasSettings: boolean;
  };
  readonly items: readonly ReportItem[];
  /** Flags to start the server with, to serve as before. */
  readonly flags: readonly string[];
  /** The copy of what was there before; null when there was nothing. */
  readonly backup: string | null;
}

/** Collects what there is to report. */
export interface Reporter {
  readonly items: readonly ReportItem[];
  changed(kind: ReportKind, name: string, reason: string): void;
  skipped(kind: ReportKind, name: string, reason: string): void;
  note(kind: ReportKind, name: string, reason: string): void;
}

/** Of text from a foreign file as much is repeated, in characters. */
const maxNameLength = 100;

/** Text of a foreign file, fit for a terminal: without control characters and not too long. */
export const printable = (text: string): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return plain.length > maxNameLength ? `${plain.slice(0, maxNameLength)}…` : plain;
};

/** A value of a foreign file as it is repeated. */
export const shown = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');

/** An empty report. */
export function openReporter(): Reporter {
  const items: ReportItem[] = [];
  const add =
    (outcome: ReportItem['outcome']) =>
    (kind: ReportKind, name: string, reason: string): void => {
      items.push({ kind, name: printable(name), outcome, reason: printable(reason) });
    };
  return { items, changed: add('changed'), skipped: add('skipped'), note: add('note') };
}

const headings: Readonly<Record<ReportItem['outcome'], string>> = {
  skipped: 'Did not arrive',
  changed: 'Arrived, but not as it was',
  note: 'To know',
};

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The report for people. */
export function reportText({ sources, isDryRun, arrived, items, flags, backup }: ImportReport): string {
  const replaced =
    arrived.usersReplaced === 0 ? '' : ` (${arrived.usersReplaced} in the place of users with their names)`;
  const lines = [
    `${isDryRun ? 'Would import' : 'Imported'} from ${sources.map(printable).join(', ')}:`,
    `  ${countOf(arrived.users, 'user', 'users')}${replaced}`,
    `  ${countOf(arrived.links, 'link', 'links')}`,
    `  ${countOf(arrived.rules, 'rule', 'rules')} of the settings and of users`,
    `  settings: ${arrived.hasSettings ? 'yes' : 'none in the source'}`,
  ];
  for (const outcome of ['skipped', 'changed', 'note'] as const) {
    const found = items.filter((item) => item.outcome === outcome);
    if (found.length > 0) lines.push('', `${headings[outcome]}:`);
    lines.push(...found.map(({ kind, name, reason }) => `  ${kind} ${name}: ${reason}`));
  }
  if (flags.length > 0) lines.push('', 'To serve as before, start with:', `  filestead ${flags.join(' ')}`);
  if (backup !== null) lines.push('', `What was there before is in ${backup}.`);
  if (isDryRun) lines.push('', 'This was a dry run: nothing was changed.');
  return lines.join('\n');
}
