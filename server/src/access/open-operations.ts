import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { newOrderedId } from '../ordered-id.ts';
import type { KeepCause, KeepOptions, KeptEntry, MergedEntry } from '../storage/kept/kept-entries.ts';
import type { Operation, Operations } from './operation.ts';
import { AppError } from '../errors.ts';
import { isExcludedPlace, isWorthKeeping } from './keeping/worth-keeping.ts';

/** The options of the server that decide what is kept. */
export type KeepingOptions = Pick<
  Config,
  'keepsDeleted' | 'trashFallback' | 'noTrashBelow' | 'unversionedNames' | 'purgeDelayMs'
>;

/** Opens the operations of a server. */
export function openOperations(options: KeepingOptions, clock: Clock): Operations {
  const { keepsDeleted } = options;
  const losesUnkept = options.trashFallback === 'delete';
  return {
    keepsDeletedAt: (place) => keepsDeleted && !isExcludedPlace(place, options),
    begin(userContext, kind, id = newOrderedId(clock.now()), undoes = null): Operation {
      const { user, sessionId: session } = userContext;
      const kept: KeptEntry[] = [];
      const lost = new Set<VirtualPath>();
      let merged: MergedEntry[] = [];
      let parents: VirtualPath[] = [];
      const reports: KeepOptions = {
        onLost: (place) => void lost.add(place),
        onMerged: (entry) => void merged.push(entry),
        onParent: (place) => void parents.push(place),
      };
      const causeOf = (act: KeepCause['act']): KeepCause => ({
        operation: id,
        act,
        userId: user.id,
        session,
        time: clock.now(),
      });
      const collector =
        (ofChange: KeptEntry[] = []) =>
        (entries: readonly KeptEntry[]): void => {
          kept.push(...entries);
          ofChange.push(...entries);
        };
      return {
        id,
        kind,
        userContext,
        kept,
        lost,
        undoes,
        versionAt: null,
        undoing: null,
        takeMerged() {
          const taken = merged;
          merged = [];
          return taken;
        },
        takeParents() {
          const taken = parents;
          parents = [];
          return taken;
        },
        keepOptions(act, ofChange): KeepOptions {
          if (!keepsDeleted) return reports;
          const keep = causeOf(act);
          return {
            ...reports,
            keep,
            onKept: collector(ofChange),
            accepts: (state) => isWorthKeeping(state, keep.time, options),
            losesUnkept,
          };
        },
        deleteOptions(ofChange, { isRequired = false, isPermanent = false } = {}) {
          if (!keepsDeleted) {
            if (isRequired) throw new AppError('cannot_keep', 'this server keeps no deleted files');
            return null;
          }
          return {
            keep: causeOf('delete'),
            onKept: collector(ofChange),
            losesUnkept: isPermanent ? options.purgeDelayMs === 0 : losesUnkept && !isRequired,
            isRequired,
            skips: (place) => isExcludedPlace(place, options),
          };
        },
      };
    },
  };
}
