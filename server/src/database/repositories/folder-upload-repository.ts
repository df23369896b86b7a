import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { FolderUploadRepository, StoredFolderUpload, StoredFolderUploadFile } from '../database.ts';
import type { FolderUploadFileRow, FolderUploadRow, Tables } from '../schema.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';

const folderOf = (row: Selectable<FolderUploadRow>): StoredFolderUpload => ({
  id: row.id,
  userId: row.user_id,
  // Only parsed paths are stored.
  scope: row.scope as VirtualPath,
  path: row.path as VirtualPath,
  name: row.name,
  files: row.files,
  bytes: row.bytes,
  beganAt: row.began_at,
  usedAt: row.used_at,
  expiresAt: row.expires_at,
});

const fileOf = (row: Selectable<FolderUploadFileRow>): StoredFolderUploadFile => ({
  file: row.file,
  target: row.target,
  sizeBytes: row.size,
  modifiedMs: row.modified_at,
  begunAt: row.begun_at,
});

/** Creates the repository of folder uploads in `database`. */
export function openFolderUploadRepository(database: Kysely<Tables>): FolderUploadRepository {
  return {
    async list() {
      return (await database.selectFrom('folder_uploads').selectAll().execute()).map(folderOf);
    },
    async create(folder) {
      await database
        .insertInto('folder_uploads')
        .values({
          id: folder.id,
          user_id: folder.userId,
          scope: folder.scope,
          path: folder.path,
          name: folder.name,
          files: folder.files,
          bytes: folder.bytes,
          began_at: folder.beganAt,
          used_at: folder.usedAt,
          expires_at: folder.expiresAt,
        })
        .execute();
    },
    async update(id, { path, usedAt, expiresAt }) {
      await database
        .updateTable('folder_uploads')
        .set({ path, used_at: usedAt, expires_at: expiresAt })
        .where('id', '=', id)
        .execute();
    },
    remove: (id) =>
      inTransaction(database, async (transaction) => {
        await transaction.deleteFrom('folder_upload_files').where('folder_id', '=', id).execute();
        await transaction.deleteFrom('folder_uploads').where('id', '=', id).execute();
      }),
    recordBegun: (id, files) =>
      inTransaction(database, async (transaction) => {
        for (const { file, target, sizeBytes, modifiedMs, begunAt } of files) {
          const changed = {
            target,
            size: sizeBytes,
            modified_at: modifiedMs,
            begun_at: begunAt,
            has_arrived: 0,
          } as const;
          await transaction
            .insertInto('folder_upload_files')
            .values({ folder_id: id, file, ...changed })
            .onConflict((conflict) => conflict.columns(['folder_id', 'file']).doUpdateSet(changed))
            .execute();
        }
      }),
    recordArrived: (id, files) =>
      inTransaction(database, async (transaction) => {
        for (const file of files) {
          await transaction
            .updateTable('folder_upload_files')
            .set({ has_arrived: 1 })
            .where('folder_id', '=', id)
            .where('file', '=', file)
            .execute();
        }
      }),
    async totals(id) {
      return database
        .selectFrom('folder_upload_files')
        .select([
          sql<number>`count(*)`.as('knownFiles'),
          sql<number>`coalesce(sum(has_arrived), 0)`.as('arrivedFiles'),
          sql<number>`coalesce(sum(size * has_arrived), 0)`.as('arrivedBytes'),
        ])
        .where('folder_id', '=', id)
        .executeTakeFirstOrThrow();
    },
    async files(id, { hasArrived, after, limit }) {
      const rows = await database
        .selectFrom('folder_upload_files')
        .selectAll()
        .where('folder_id', '=', id)
        .where('file', '>', after)
        .where('has_arrived', '=', hasArrived ? 1 : 0)
        .orderBy('file')
        .limit(limit)
        .execute();
      return rows.map(fileOf);
    },
  };
}
