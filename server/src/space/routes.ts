import { type FolderTotal, getMap, getTotals, type MapRow } from '@filestead/contract/endpoints/find';
import { defaultMapDepth, maxFindRows } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import type { VisiblePart } from '../access/rules/visible-part.ts';
import type { UserContext } from '../access/user-context.ts';
import type { FolderTotals, MapEntry, TotalsResponse } from '../catalogue/catalogue-protocol.ts';
import { resolveTarget, type TargetOptions } from '../catalogue/resolve-target.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { timeText } from '../catalogue/time-text.ts';
import { AppError } from '../errors.ts';
import type { Route } from '../http/server/route.ts';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';

/** Bytes of an allocated block. */
const blockBytes = 512;

const toFolderTotal = ({ name, totals, checkedAt }: FolderTotals): FolderTotal => ({
  name,
  bytes: totals?.bytes ?? null,
  allocated: totals === null ? null : totals.blocks * blockBytes,
  files: totals?.files ?? null,
  folders: totals?.folders ?? null,
  checkedAt: timeText(checkedAt),
});

const toMapRow = ({ path, isFolder, bytes, blocks, files, rest }: MapEntry): MapRow => ({
  path,
  dir: isFolder,
  bytes,
  allocated: blocks * blockBytes,
  files,
  ...(rest === null
    ? {}
    : { rest: { bytes: rest.bytes, allocated: rest.blocks * blockBytes, files: rest.files } }),
});

/** The response about a folder outside the served folder, which the catalogue does not contain. */
const unknown = { self: null, rows: [], checkedAt: null, coverage: 'parts' as const };

/** A response of the catalogue about the sizes of a folder and of entries below it. */
interface FoundSizes<Found> extends Pick<TotalsResponse, 'checkedAt' | 'coverage'> {
  readonly self: Found | null;
  readonly rows: readonly Found[];
}

/** Presents a response of the catalogue. Throws `catalogue_off` for null. */
function present<Found, Row>(response: FoundSizes<Found> | null, toRow: (found: Found) => Row) {
  if (response === null) throw new AppError('catalogue_off');
  const { self, rows, checkedAt, coverage } = response;
  return {
    self: self === null ? null : toRow(self),
    rows: rows.map(toRow),
    checkedAt: timeText(checkedAt),
    coverage,
  };
}

/** Registers the endpoints for the sizes of folders. */
export function registerSpace(
  app: FastifyInstance,
  { route, catalogue, ...targetOptions }: TargetOptions & { route: Route; catalogue: Catalogue },
): void {
  const visiblePartOf = async (
    userContext: UserContext,
    { path }: RequestedPath,
  ): Promise<VisiblePart | null> => {
    if (!catalogue.isOn) throw new AppError('catalogue_off');
    const found = await resolveTarget(userContext, path, { catalogue, ...targetOptions });
    if (!found.isFolder) throw new AppError('not_a_folder');
    return found.visible;
  };

  route(app, getTotals, async ({ userContext, requested }) => {
    const visible = await visiblePartOf(userContext, requested);
    if (visible === null) return unknown;
    return present(await catalogue.totals(visible), toFolderTotal);
  });

  route(app, getMap, async ({ userContext, requested, query }) => {
    const visible = await visiblePartOf(userContext, requested);
    if (visible === null) return unknown;
    const size = { depth: query.depth ?? defaultMapDepth, limit: query.limit ?? maxFindRows };
    return present(await catalogue.map(visible, size), toMapRow);
  });
}
