import type { FilePosition, VersionAge } from '../../database/version-repository.ts';
import { isYieldDue, yieldToEventLoop } from '../../scheduling/event-loop.ts';

/** Versions per query; about 5 ms. */
const pageRows = 1_000;

/** Versions ordered by file; `last` is the position of the last one, and null for an empty page. */
interface VersionPage<Version extends VersionAge> {
  readonly versions: readonly Version[];
  readonly last: FilePosition | null;
}

/**
 * Yields the versions of each file. Other requests are served between two pages.
 * @param readPage reads the versions after a position; after null from the beginning
 */
export async function* versionsByFile<Version extends VersionAge>(
  readPage: (after: FilePosition | null, limit: number) => Promise<VersionPage<Version>>,
): AsyncGenerator<readonly Version[], undefined> {
  let ofOneFile: Version[] = [];
  let after: FilePosition | null = null;
  for (;;) {
    const page: VersionPage<Version> = await readPage(after, pageRows);
    for (const version of page.versions) {
      if (ofOneFile[0] !== undefined && ofOneFile[0].file !== version.file) {
        yield ofOneFile;
        ofOneFile = [];
      }
      ofOneFile.push(version);
    }
    if (page.last === null) break;
    after = page.last;
    if (isYieldDue()) await yieldToEventLoop();
  }
  if (ofOneFile.length > 0) yield ofOneFile;
}
