import {
  type Preference,
  type Preferences,
  Sorting,
  initialPreferences,
  preferences,
  preferencesOr,
  userShape,
} from '@filestead/contract/user-fields';
import * as z from 'zod/mini';
import type { PreferenceColumns } from '../schema.ts';

/** Columns whose name is not that of the preference. */
const otherColumns: Readonly<Partial<Record<Preference, string>>> = {
  dateFormat: 'exact_dates',
  aceEditorTheme: 'editor_theme',
};

/** Returns the column of a preference: `single_click` for `singleClick`. */
const columnOf = (name: Preference): string =>
  otherColumns[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isSwitch = (name: Preference): boolean => typeof initialPreferences[name] === 'boolean';

/** Returns the columns of a user's preferences; a sorting has two. */
export function columnsOfPreferences({ sorting, ...user }: Preferences): PreferenceColumns {
  const simple = preferences.filter((name) => name !== 'sorting');
  const columns = Object.fromEntries(
    simple.map((name) => [columnOf(name), isSwitch(name) ? Number(user[name]) : user[name]]),
  );
  return { ...columns, sort_by: sorting.by, sort_ascending: sorting.asc ? 1 : 0 } as PreferenceColumns;
}

/** Returns the preferences in a row. */
export function preferencesOfColumns(row: PreferenceColumns): Preferences {
  const columns = new Map<string, unknown>(Object.entries(row));
  const sorting = z.parse(Sorting, { by: row.sort_by, asc: row.sort_ascending === 1 });
  return preferencesOr({ sorting }, (name) => {
    const value = columns.get(columnOf(name));
    return isSwitch(name) ? value === 1 : z.parse(userShape[name], value);
  });
}
