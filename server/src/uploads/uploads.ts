import { randomBytes } from 'node:crypto';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEvents } from '../access/file-events.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import { AppError, isAppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { newTemporaryName } from '../storage/disk/paths/temporary-names.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import { type BlockedChoice, openBlockedChoices } from './blocked-choices.ts';
import { type LiveUpload, liveUpload, UploadLease } from './live-upload.ts';
import type { PartChecksum } from './part-checksum.ts';
import { partOf, scopeOf, type UploadRegistryOptions, UploadRegistry } from './upload-registry.ts';

export interface UploadParts extends UploadRegistryOptions {
  readonly events: FileEvents;
  readonly space: UploadSpace;
  /** Throws `invalid_name` for a path that would make a name nobody should have. */
  readonly assertCreatable: (storage: Storage, path: VirtualPath) => Promise<void>;
}

export interface BeginUpload {
  readonly path: VirtualPath;
  readonly lengthBytes: number;
  /** Replace a file that is there. */
  readonly overrides: boolean;
  /** Found by its path: the dialect of existing clients. */
  readonly isByPath: boolean;
}

/** The next bytes of an upload. */
export interface UploadPart {
  /** Where they go. */
  readonly offset: number;
  readonly content: AsyncIterable<Uint8Array>;
  /** Announced length in bytes; 0 when it is not known. */
  readonly announcedBytes: number;
  /** What the bytes are compared with; none of them counts until all have arrived and are right. */
  readonly checksum?: PartChecksum | null;
}

/** Uploads that arrive in parts: the protocol's core, for both of its dialects. */
export interface Uploads {
  readonly registry: UploadRegistry;
  /**
   * Checks all that can be checked and makes the unfinished file; an empty one is finished at once. Throws `already_exists`,
   * `bad_request` (a folder), `forbidden`, `invalid_name`, `payload_too_large`, `storage_full`, `too_many_requests`.
   */
  begin(userContext: UserContext, upload: BeginUpload): Promise<LiveUpload>;
  /**
   * Where the upload goes on. Whoever asks is about to go on, so a sender that is still at it is stopped. Throws `not_found`,
   * and what finishing throws when only that was missing.
   */
  resume(userContext: UserContext, upload: LiveUpload): Promise<void>;
  /**
   * Adds bytes, and gives the file its name with the last of them. When they break off, those that arrived count; of a part
   * that would make it longer than announced, or with a checksum that is not theirs, none do. Throws `upload_in_use`, `upload_offset_mismatch`, `checksum_mismatch`,
   * `bad_request`, `payload_too_large`, `not_found`, and what writing throws. An upload that cannot be finished is kept as blocked.
   */
  append(userContext: UserContext, upload: LiveUpload, part: UploadPart): Promise<void>;
  /**
   * Finishes an upload whose bytes have all arrived in another way. Throws `precondition_failed` for one that is not whole,
   * `upload_in_use`, and what finishing throws; then it stays blocked.
   */
  choose(userContext: UserContext, upload: LiveUpload, choice: BlockedChoice): Promise<void>;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // No bytes.
}

/** Refuses what is at the place of an upload: a folder always, a file unless it may be replaced. */
function refuseToReplace(current: Entry | null, overrides: boolean, canModify: boolean): void {
  if (current === null) return;
  if (current.kind === 'folder') throw new AppError('bad_request', 'there is a folder of this name');
  if (!overrides) throw new AppError('already_exists');
  if (!canModify) throw new AppError('forbidden');
}

/** Throws why an upload is blocked: nothing goes on with it until its user has chosen. */
function refuseBlocked({ record }: LiveUpload): void {
  if (record.blockedBy === null) return;
  throw new AppError(record.blockedBy, 'all bytes have arrived and the upload is blocked; see /api/uploads');
}

/** Opens the uploads of a server, those of its earlier runs among them. */
export async function openUploads(parts: UploadParts): Promise<Uploads> {
  const { events, space } = parts;
  const registry = await UploadRegistry.open(parts);
  events.subscribe({
    after: async (change) => {
      if (change.event === 'rename') await registry.follow(change);
    },
  });

  /**
   * Gives the whole file its name. One that cannot be finished is kept as blocked, for its user to decide what becomes of it;
   * an empty one is not worth that.
   */
  const finish = async (userContext: UserContext, storage: Storage, upload: LiveUpload): Promise<void> => {
    const { record } = upload;
    try {
      await events.runWhenReady(
        { event: 'upload', userContext, path: record.path, destination: null },
        (beforeChange) =>
          storage.partial(record.path, partOf(upload)).publish(record.lengthBytes, {
            confirm: (now) => refuseToReplace(now, record.overrides, userContext.user.perm.modify),
            beforeChange: () => beforeChange(),
          }),
      );
    } catch (error) {
      const isKept = record.lengthBytes > 0 && (await registry.isKept(upload));
      if (isKept) {
        await registry.block(upload, isAppError(error) ? error.code : 'internal_error');
      } else {
        // Who drops it waits for the sender, and that is us.
        upload.lease = null;
        await registry.drop(upload);
      }
      throw error;
    }
    record.blockedBy = null;
    record.isFinished = true;
    if (record.isByPath) await registry.forget(upload);
    else await registry.save(upload, record.lengthBytes);
  };

  /** Does `work` as the only one who works on the upload. */
  const exclusively = async (
    upload: LiveUpload,
    work: (lease: UploadLease) => Promise<void>,
  ): Promise<void> => {
    const lease = new UploadLease(parts.clock.now);
    upload.lease = lease;
    try {
      await work(lease);
    } finally {
      upload.lease = null;
      lease.end();
    }
  };

  /** Adds bytes to the unfinished file and notes how many of them are whole. */
  const receive = async (
    storage: Storage,
    upload: LiveUpload,
    lease: UploadLease,
    { content, announcedBytes, checksum = null }: UploadPart,
  ): Promise<void> => {
    const { record } = upload;
    const start = upload.offset;
    const room = record.lengthBytes - start;
    if (announcedBytes > room) throw new AppError('payload_too_large');
    const file = storage.partial(record.path, partOf(upload));
    const reservation = (upload.space ??= await space.reserve(storage, record.path, room));
    let isTooLong = false;
    let isUnverified = checksum !== null;
    async function* counted(): AsyncGenerator<Uint8Array> {
      let arrived = 0;
      for await (const chunk of content) {
        lease.touch();
        arrived += chunk.length;
        if (arrived > room) {
          isTooLong = true;
          throw new AppError('payload_too_large');
        }
        checksum?.update(chunk);
        reservation.arrived(chunk.length);
        yield chunk;
      }
    }
    const onStored = (size: number): void => {
      registry
        .save(upload, size)
        .catch((error: unknown) => parts.log.warn({ err: error }, 'upload not noted'));
    };
    try {
      await file.append(counted(), {
        from: start,
        signal: lease.signal,
        onStored: checksum === null ? onStored : undefined,
      });
      checksum?.verify();
      isUnverified = false;
    } catch (error) {
      if (lease.signal.aborted) throw new AppError('upload_in_use', 'another request goes on with it');
      throw error;
    } finally {
      if (isTooLong || isUnverified) {
        await file.append(nothing(), { from: start });
        reservation.release();
        upload.space = null;
      }
      upload.offset = (await file.size()) ?? -1;
      await (upload.offset < 0 ? registry.forget(upload) : registry.save(upload, upload.offset));
    }
    if (upload.offset < 0) throw new AppError('not_found');
  };

  const begin: Uploads['begin'] = async (userContext, { path, lengthBytes, overrides, isByPath }) => {
    const storage = await userContext.storage();
    const { modify } = userContext.user.perm;
    const current = await storage.stat(path);
    refuseToReplace(current, overrides, modify);
    if (current === null) await parts.assertCreatable(storage, path);
    const kept = isByPath ? registry.blockedByPath(userContext, path, lengthBytes) : null;
    // A client that finds uploads by their path sends the same file again.
    if (kept !== null && kept.lease === null) await registry.drop(kept);
    const earlier = isByPath ? registry.byPath(userContext, path) : null;
    if (earlier !== null && earlier.record.isByPath) {
      if (!overrides) throw new AppError('already_exists', 'this upload has begun already');
      await registry.drop(earlier);
    }
    const upload = liveUpload(
      {
        id: randomBytes(24).toString('base64url'),
        userId: userContext.user.id,
        scope: scopeOf(userContext),
        path,
        partName: newTemporaryName(),
        lengthBytes,
        storedBytes: 0,
        overrides,
        isByPath,
        isFinished: false,
        expiresAt: registry.expiry(isByPath),
        beganAt: parts.clock.now(),
        blockedBy: null,
      },
      await space.reserve(storage, path, lengthBytes),
      parts.clock.now(),
    );
    try {
      await registry.add(upload);
      await storage.partial(path, partOf(upload)).create({
        createParents: true,
        confirm: (now) => refuseToReplace(now, overrides, modify),
      });
    } catch (error) {
      await registry.forget(upload);
      throw error;
    }
    if (lengthBytes === 0) await finish(userContext, storage, upload);
    return upload;
  };

  const choose = openBlockedChoices({
    registry,
    space,
    finish,
    assertCreatable: parts.assertCreatable,
  });

  return {
    registry,
    begin,
    async choose(userContext, upload, choice) {
      const { record } = upload;
      if (record.isFinished || upload.offset < record.lengthBytes) {
        throw new AppError('precondition_failed', 'this upload is not blocked');
      }
      if (upload.lease !== null) throw new AppError('upload_in_use');
      await exclusively(upload, () => choose(userContext, upload, choice));
    },
    async resume(userContext, upload) {
      while (upload.lease !== null) await upload.lease.stop();
      const { record } = upload;
      if (record.isFinished) return;
      refuseBlocked(upload);
      await exclusively(upload, async () => {
        const storage = await userContext.storage();
        const size = await storage.partial(record.path, partOf(upload)).size();
        if (size === null || size < upload.offset) {
          await registry.forget(upload);
          throw new AppError('not_found');
        }
        if (upload.offset === record.lengthBytes) await finish(userContext, storage, upload);
        else await registry.save(upload, record.storedBytes);
      });
    },
    async append(userContext, upload, part) {
      const { record } = upload;
      if (part.offset > record.lengthBytes)
        throw new AppError('bad_request', 'Upload-Offset: beyond the end');
      if (upload.lease?.isStalled === true) await upload.lease.stop();
      if (upload.lease !== null) throw new AppError('upload_in_use');
      if (part.offset !== upload.offset) throw new AppError('upload_offset_mismatch');
      if (record.isFinished) return;
      refuseBlocked(upload);
      await exclusively(upload, async (lease) => {
        const storage = await userContext.storage();
        await receive(storage, upload, lease, part);
        if (upload.offset === record.lengthBytes) await finish(userContext, storage, upload);
      });
    },
  };
}
