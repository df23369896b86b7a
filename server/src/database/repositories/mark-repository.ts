import type { Kysely } from 'kysely';
import type { MarkRepository } from '../mark-repository.ts';
import type { Tables } from '../schema.ts';
import { openMarkChanges } from './marks/change-marks.ts';
import { openMarkList } from './marks/mark-list.ts';
import { openRecentMarks } from './marks/recent-marks.ts';
import { openRenamedPlaces } from './marks/renamed-places.ts';

/** Creates the repository of marks in `database`. */
export function openMarkRepository(database: Kysely<Tables>): MarkRepository {
  return {
    ...openMarkList(database),
    ...openMarkChanges(database),
    ...openRecentMarks(database),
    ...openRenamedPlaces(database),
  };
}
