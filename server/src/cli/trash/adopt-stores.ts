import {
  childOf,
  parentOf,
  rootPath,
  virtualPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { keptEntryOf, nameKeyFor } from '../../access/keeping/kept-entry.ts';
import type { StoredVersion } from '../../database/version-repository.ts';
import type { PlacedKept } from '../../database/trash-repository.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { AdoptedRecord } from '../../storage/disk/kept/adopt-store.ts';
import {
  type AdoptableStore,
  findAdoptable,
  registerStore,
  withForeignStore,
} from '../../storage/disk/open-adoption.ts';
import type { Storage } from '../../storage/storage.ts';
import { readLedgers } from '../../trash/read-ledgers.ts';
import { CliError, type CommandCall } from '../command.ts';
import { entriesText } from '../count-of.ts';
import { tableOf } from '../table.ts';
import { type TrashData, type StorageOptions, withLockedTrash, withTrashOptions } from './open-trash-data.ts';

/** An entry of another installation with its current place. */
interface ForeignEntry {
  readonly kept: PlacedKept;
  readonly version: StoredVersion | undefined;
}

/** Returns the entries of another installation, with the places to which its records lead. */
async function readEntries(foreign: Storage, path: VirtualPath): Promise<ForeignEntry[]> {
  const index = await openDatabase(':memory:');
  try {
    await readLedgers(index.trash, foreign, Date.now());
    const ids: string[] = [];
    for await (const record of foreign.ledger(path)) if (record.kind === 'keep') ids.push(record.entry.id);
    const versions = new Map((await index.versions.findAll(ids)).map((version) => [version.id, version]));
    const found = await index.trash.findAll(ids);
    return found.map((kept) => ({ kept, version: versions.get(kept.id) }));
  } finally {
    await index.close();
  }
}

/** The deleted entry to which an entry belongs: the folder that contains it, or the file of which it is a version. */
const ownerOf = ({ kept, version }: ForeignEntry): string | null => version?.ownerId ?? kept.parentId;

/** Returns the entries in groups: all that belong to a deleted entry precede it. */
function inGroups(entries: readonly ForeignEntry[]): ForeignEntry[][] {
  const known = new Set(entries.map(({ kept }) => kept.id));
  const members = new Map<string, ForeignEntry[]>();
  const tops: ForeignEntry[] = [];
  for (const entry of entries.toSorted((a, b) => a.kept.keptAt - b.kept.keptAt)) {
    const owner = ownerOf(entry);
    if (owner === null || !known.has(owner)) tops.push(entry);
    else members.set(owner, [...(members.get(owner) ?? []), entry]);
  }
  const groupOf = (top: ForeignEntry): ForeignEntry[] => [
    ...(members.get(top.kept.id) ?? []).flatMap(groupOf),
    top,
  ];
  return tops.map(groupOf);
}

/**
 * Returns the records of entries. Entries that the index already has at the place of a deleted entry are moved aside until that one
 * is added, so that they are not attached to it.
 */
async function recordsOf(
  { database, storage }: TrashData,
  entries: readonly ForeignEntry[],
  { keepsUsers, isVisible }: { keepsUsers: boolean; isVisible: (entry: ForeignEntry) => boolean },
): Promise<AdoptedRecord[]> {
  const records: AdoptedRecord[] = [];
  let number = Math.max(Date.now(), await database.trash.lastMove());
  for (const group of inGroups(entries)) {
    const top = group.at(-1)?.kept;
    if (top === undefined) continue;
    const { place, id } = top;
    const keyOf = nameKeyFor(storage.ignoresCaseAt(place));
    const isTaken = top.act === 'delete' && (await database.trash.hasPlacesAt(place, keyOf));
    const aside = childOf(parentOf(place), `.adopting-${id}`);
    if (isTaken) records.push({ kind: 'move', from: place, to: aside, number: ++number });
    for (const { kept, version } of group) {
      const entry = keptEntryOf(kept);
      const cause = keepsUsers ? entry.cause : { ...entry.cause, userId: null, session: null };
      const isAnnotated = version !== undefined && (version.label !== null || version.keepsForever);
      records.push({
        kind: 'entry',
        entry: { ...entry, cause },
        annotation: isAnnotated ? { label: version.label, keepsForever: version.keepsForever } : null,
        isDoomed: !isVisible({ kept, version }),
      });
    }
    if (isTaken) records.push({ kind: 'move', from: aside, to: place, number: ++number });
  }
  return records;
}

/** Takes over the store of another installation. */
async function adoptForeign(
  call: CommandCall,
  options: StorageOptions,
  store: AdoptableStore,
): Promise<void> {
  const keepsUsers = call.options.isOn('sameUsers') === true;
  await withForeignStore(options, store, async (foreign, adopt) => {
    const entries = await readEntries(foreign, store.path);
    const isVisible = ({ kept }: ForeignEntry): boolean => kept.purgeAt === null;
    const records = await withLockedTrash(call, (data) =>
      recordsOf(data, entries, { keepsUsers, isVisible }),
    );
    const { adopted, left } = await adopt(records);
    call.terminal.print(`${store.path}: took over ${entriesText(adopted)}.`);
    if (left > 0) call.terminal.warn(`${store.path}: left ${entriesText(left)} without a record in place`);
  });
}

/** Registers a store whose folder was moved, and updates its paths in the index. */
async function adoptMoved(
  call: CommandCall,
  options: StorageOptions,
  { path }: AdoptableStore,
): Promise<void> {
  const former = await registerStore(options, path);
  await withLockedTrash(call, async ({ database, storage }) => {
    for (const from of former) {
      if (from !== rootPath && path !== rootPath)
        await database.trash.movePlaces(from, path, nameKeyFor(storage.ignoresCaseAt(path)));
      await database.trash.moveStores(from, path);
    }
  });
  call.terminal.print(`${path}: the store is in use again.`);
}

/** `trash adopt`: takes over stores that were moved, or that another installation has created. */
export async function adoptStores(call: CommandCall): Promise<void> {
  await withTrashOptions(call, async (options) => {
    const folders = call.words.map((word) => {
      if (!word.startsWith('/'))
        throw new CliError('the path of a folder must begin with a slash, which is the served folder');
      return virtualPath(word);
    });
    const found = await findAdoptable(options, folders.length === 0 ? null : folders);
    if (found.length === 0) {
      call.terminal.print('There is no store that could be taken over.');
      return;
    }
    if (call.options.isOn('yes') !== true) {
      const rows = found.map(({ path, installation, isOwn }) => [path, isOwn ? 'this one' : installation]);
      call.terminal.print(tableOf([['Folder', 'Installation'], ...rows]));
      call.terminal.warn(
        'these stores would be taken over; stop the servers that use them, and add --yes to do it',
      );
      return;
    }
    for (const store of found)
      await (store.isOwn ? adoptMoved(call, options, store) : adoptForeign(call, options, store));
    await withLockedTrash(call, async ({ database, storage }) => {
      await database.transact(({ trash }) => readLedgers(trash, storage, Date.now()));
    });
  });
}
