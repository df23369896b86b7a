import type { Kysely } from 'kysely';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeyAt, MarkedPlace } from '../../mark-repository.ts';
import type { Tables } from '../../schema.ts';
import { PlaceTree } from '../place-tree.ts';

/** Stores the identity of an entry. */
async function identify(
  transaction: Kysely<Tables>,
  id: number,
  { isFolder, identity }: MarkedPlace,
): Promise<void> {
  await transaction
    .updateTable('places')
    .set({
      is_folder: isFolder ? 1 : 0,
      device: identity?.device ?? null,
      inode: identity?.inode ?? null,
      born_ns: identity?.bornNs ?? null,
      gone_at: null,
    })
    .where('id', '=', id)
    .execute();
}

/** Finds or creates the places of marked entries, each once. */
export class MarkedPlaces {
  readonly #transaction: Kysely<Tables>;
  readonly #tree: PlaceTree;
  readonly #keyAt: KeyAt;
  readonly #known = new Map<VirtualPath, number>();

  constructor(transaction: Kysely<Tables>, keyAt: KeyAt) {
    this.#transaction = transaction;
    this.#tree = new PlaceTree(transaction);
    this.#keyAt = keyAt;
  }

  async of(marked: MarkedPlace): Promise<number> {
    const known = this.#known.get(marked.path);
    if (known !== undefined) return known;
    const id = await this.#tree.ensure(marked.path, this.#keyAt(marked.path));
    await identify(this.#transaction, id, marked);
    this.#known.set(marked.path, id);
    return id;
  }
}
