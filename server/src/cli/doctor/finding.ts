/** `info` names something that is switched off or unknown and needs no action. */
export type FindingState = 'ok' | 'info' | 'warn' | 'error';

/** The result of one check of `doctor`. */
export interface Finding {
  readonly state: FindingState;
  /** Name of the check, such as `root`. */
  readonly check: string;
  /** The result, and its consequence if something is wrong. */
  readonly text: string;
  /** The command or option that repairs it; null if there is nothing to do. */
  readonly fix: string | null;
}

/** Returns a finding without a fix. */
export const passed = (check: string, text: string, state: 'ok' | 'info' = 'ok'): Finding => ({
  state,
  check,
  text,
  fix: null,
});

/** Returns a finding that needs action. */
export const failed = (state: 'warn' | 'error', check: string, text: string, fix: string): Finding => ({
  state,
  check,
  text,
  fix,
});

/** Returns the worst state of the findings; `ok` if there is nothing to do. */
export function worstOf(findings: readonly Finding[]): 'ok' | 'warn' | 'error' {
  const has = (state: FindingState): boolean => findings.some((finding) => finding.state === state);
  if (has('error')) return 'error';
  return has('warn') ? 'warn' : 'ok';
}

/** Returns a size such as `812 GiB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size >= 100 || unit === 0 ? Math.floor(size) : Number(size.toFixed(1))} ${units[unit] ?? ''}`;
}
