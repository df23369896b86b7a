import type { UploadSpace } from '../access/upload-space.ts';
import { AppError } from '../errors.ts';
import { noBytes } from '../storage/no-bytes.ts';
import { observeChunks } from '../storage/observe-chunks.ts';
import type { Storage } from '../storage/storage.ts';
import type { LiveUpload, UploadLease } from './live-upload.ts';
import type { PartChecksum } from './part-checksum.ts';
import { partOf, type UploadRegistry, type UploadRegistryOptions } from './upload-registry.ts';

/** The next bytes of an upload. */
export interface UploadPart {
  /** Offset of the part in the file. */
  readonly offset: number;
  readonly content: AsyncIterable<Uint8Array>;
  /** Announced length in bytes; 0 when unknown. */
  readonly announcedBytes: number;
  /** The expected checksum; none of the bytes counts until all have arrived and match it. */
  readonly checksum?: PartChecksum | null;
}

/** Appends the bytes of a part to the unfinished file, and saves the progress. */
export type ReceivePart = (
  storage: Storage,
  upload: LiveUpload,
  lease: UploadLease,
  part: UploadPart,
) => Promise<void>;

/** Returns the function that receives parts. */
export function openReceivePart(parts: {
  readonly registry: UploadRegistry;
  readonly space: UploadSpace;
  readonly log: UploadRegistryOptions['log'];
}): ReceivePart {
  const { registry, space, log } = parts;
  return async (storage, upload, lease, { content, announcedBytes, checksum = null }) => {
    const { record } = upload;
    const start = upload.offset;
    const room = record.lengthBytes - start;
    if (announcedBytes > room) throw new AppError('payload_too_large');
    const file = storage.partial(record.path, partOf(upload));
    const reservation = (upload.space ??= await space.reserve(storage, record.path, room));
    const isLast = announcedBytes === room && room > 0;
    let hasArrived = false;
    let isTooLong = false;
    let isUnverified = checksum !== null;
    let arrivedBytes = 0;
    const counted = observeChunks(content, (chunk) => {
      lease.touch();
      arrivedBytes += chunk.length;
      if (arrivedBytes > room) {
        isTooLong = true;
        throw new AppError('payload_too_large');
      }
      checksum?.update(chunk);
      reservation.arrived(chunk.length);
    });
    const onStored = (size: number): void => {
      registry
        .save(upload, size)
        .catch((error: unknown) => log.warn({ err: error }, 'the progress of an upload could not be stored'));
    };
    try {
      await file.append(counted, {
        from: start,
        signal: lease.signal,
        isLast,
        onStored: checksum === null ? onStored : undefined,
      });
      checksum?.verify();
      isUnverified = false;
      hasArrived = true;
    } catch (error) {
      if (lease.signal.aborted) throw new AppError('upload_in_use', 'another request continues the upload');
      throw error;
    } finally {
      if (isTooLong || isUnverified) {
        await file.append(noBytes(), { from: start });
        reservation.release();
        upload.space = null;
      }
      upload.offset = (await file.size()) ?? -1;
      // A complete upload is finished next, which flushes the file and saves the progress.
      const isComplete = hasArrived && isLast && upload.offset === record.lengthBytes;
      if (upload.offset < 0) await registry.forget(upload);
      else if (!isComplete) await registry.save(upload, upload.offset);
    }
    if (upload.offset < 0) throw new AppError('not_found');
  };
}
