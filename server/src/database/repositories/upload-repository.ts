import { isErrorCode } from '@filestead/contract/errors';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Kysely, Selectable } from 'kysely';
import type { StoredUpload, UploadRepository } from '../database.ts';
import type { Tables, UploadRow } from '../schema.ts';

const uploadOf = (row: Selectable<UploadRow>): StoredUpload => ({
  id: row.id,
  userId: row.user_id,
  // Only parsed paths are stored.
  scope: row.scope as VirtualPath,
  path: row.path as VirtualPath,
  partName: row.part_name,
  lengthBytes: row.length,
  storedBytes: row.stored,
  overrides: row.overrides === 1,
  isByPath: row.is_by_path === 1,
  isFinished: row.is_finished === 1,
  expiresAt: row.expires_at,
  beganAt: row.began_at,
  lastByteAt: row.last_byte_at ?? row.began_at,
  modifiedMs: row.modified_at,
  clientKey: row.client_key,
  folder:
    row.folder_id === null || row.folder_file === null ? null : { id: row.folder_id, file: row.folder_file },
  createdParents: row.created_parents,
  // Another version may have stored a code unknown to this one.
  blockedBy: row.blocked_by === null ? null : isErrorCode(row.blocked_by) ? row.blocked_by : 'internal_error',
  blockedDetail: row.blocked_detail,
});

/** Creates the repository of resumable uploads in `database`. */
export function openUploadRepository(database: Kysely<Tables>): UploadRepository {
  return {
    async list() {
      return (await database.selectFrom('uploads').selectAll().execute()).map(uploadOf);
    },
    async create(upload) {
      await database
        .insertInto('uploads')
        .values({
          id: upload.id,
          user_id: upload.userId,
          scope: upload.scope,
          path: upload.path,
          part_name: upload.partName,
          length: upload.lengthBytes,
          stored: upload.storedBytes,
          overrides: upload.overrides ? 1 : 0,
          is_by_path: upload.isByPath ? 1 : 0,
          is_finished: upload.isFinished ? 1 : 0,
          expires_at: upload.expiresAt,
          began_at: upload.beganAt,
          blocked_by: upload.blockedBy,
          blocked_detail: upload.blockedDetail,
          last_byte_at: upload.lastByteAt,
          modified_at: upload.modifiedMs,
          client_key: upload.clientKey,
          folder_id: upload.folder?.id ?? null,
          folder_file: upload.folder?.file ?? null,
          created_parents: upload.createdParents,
        })
        .execute();
    },
    async update(id, change) {
      await database
        .updateTable('uploads')
        .set({
          path: change.path,
          stored: change.storedBytes,
          overrides: change.overrides ? 1 : 0,
          is_finished: change.isFinished ? 1 : 0,
          expires_at: change.expiresAt,
          last_byte_at: change.lastByteAt,
          created_parents: change.createdParents,
          blocked_by: change.blockedBy,
          blocked_detail: change.blockedDetail,
        })
        .where('id', '=', id)
        .execute();
    },
    async remove(id) {
      await database.deleteFrom('uploads').where('id', '=', id).execute();
    },
  };
}
