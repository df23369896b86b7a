import { countOf } from '../count-of.ts';

/** Subject of a line of the report. */
export type ReportKind =
  | 'user'
  | 'link'
  | 'setting'
  | 'rule'
  | 'command'
  | 'sign-in'
  | 'start-up option'
  | 'record';

/** An item that was not imported unchanged. */
export interface ReportItem {
  readonly kind: ReportKind;
  /** Name of a user, path of a setting, and so on. */
  readonly name: string;
  /** `changed`: imported with changes. `skipped`: not imported. `note`: imported, with a remark. */
  readonly outcome: 'changed' | 'skipped' | 'note';
  readonly reason: string;
}

/** Result of an import, or of its dry run. */
export interface ImportReport {
  readonly sources: readonly string[];
  readonly isDryRun: boolean;
  readonly imported: {
    users: number;
    usersReplaced: number;
    links: number;
    rules: number;
    hasSettings: boolean;
  };
  readonly items: readonly ReportItem[];
  /** Flags to start the server with the previous options. */
  readonly flags: readonly string[];
  /** Path of the backup of the previous database; null if there was none. */
  readonly backup: string | null;
}

/** Collects the items of a report. */
export interface Reporter {
  readonly items: readonly ReportItem[];
  changed(kind: ReportKind, name: string, reason: string): void;
  skipped(kind: ReportKind, name: string, reason: string): void;
  note(kind: ReportKind, name: string, reason: string): void;
}

/** Maximum length of repeated text of a foreign file, in characters. */
const maxNameLength = 100;
/** Maximum length of a reason, which may name a command to run and repeat several such texts. */
const maxReasonLength = 1000;

/**
 * Makes text of a foreign file printable on a terminal: replaces control characters and limits the length.
 */
export const printable = (text: string, maxLength = maxNameLength): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
};

/** Returns a value of a foreign file as printable text. */
export const printableValue = (value: unknown): string =>
  printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));

/** Creates an empty report. */
export function openReporter(): Reporter {
  const items: ReportItem[] = [];
  const add =
    (outcome: ReportItem['outcome']) =>
    (kind: ReportKind, name: string, reason: string): void => {
      items.push({ kind, name: printable(name), outcome, reason: printable(reason, maxReasonLength) });
    };
  return { items, changed: add('changed'), skipped: add('skipped'), note: add('note') };
}

const headings: Readonly<Record<ReportItem['outcome'], string>> = {
  skipped: 'Not imported',
  changed: 'Imported with changes',
  note: 'Notes',
};

/** Formats the report as text. */
export function reportText({ sources, isDryRun, imported, items, flags, backup }: ImportReport): string {
  const { usersReplaced } = imported;
  const replaced =
    usersReplaced === 0 ? '' : ` (${countOf(usersReplaced, 'user')} of the same name replaced)`;
  const lines = [
    `${isDryRun ? 'Would import' : 'Imported'} from ${sources.map((source) => printable(source)).join(', ')}:`,
    `  ${countOf(imported.users, 'user')}${replaced}`,
    `  ${countOf(imported.links, 'link')}`,
    `  ${countOf(imported.rules, 'rule')} of the settings and of users`,
    `  settings: ${imported.hasSettings ? 'yes' : 'none in the source'}`,
  ];
  for (const outcome of ['skipped', 'changed', 'note'] as const) {
    const found = items.filter((item) => item.outcome === outcome);
    if (found.length > 0) lines.push('', `${headings[outcome]}:`);
    lines.push(...found.map(({ kind, name, reason }) => `  ${kind} ${name}: ${reason}`));
  }
  if (flags.length > 0) lines.push('', 'To serve as before, start with:', `  filestead ${flags.join(' ')}`);
  if (backup !== null) lines.push('', `The previous database was saved to ${backup}.`);
  if (isDryRun) lines.push('', 'This was a dry run: nothing was changed.');
  return lines.join('\n');
}
