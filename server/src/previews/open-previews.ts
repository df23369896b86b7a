import { availableParallelism } from 'node:os';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { isAppError } from '../errors.ts';
import { mediaTypeOfName } from '../media-types/media-type.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { createSharedWork } from '../scheduling/shared-work.ts';
import type { EncodedPicture } from './decoder/decode-picture.ts';
import { openDecoderPool } from './decoder/decoder-pool.ts';
import { delayRefusals } from './delay-refusals.ts';
import { maxRemembered, maxWaiting, rememberedMs } from './limits.ts';
import { type PreviewTools, makePreview } from './make-preview.ts';
import { reportMissingOnce } from './missing-tools.ts';
import { type PreviewCache, openPreviewCache } from './preview-cache.ts';
import { type GetPicture, type SendPreview, createSendPreview } from './send-preview.ts';
import { createExtractFrame } from './video-frame.ts';

/** The administrator's options for previews, and the real path of the cache folder. */
export interface PreviewOptions extends Pick<
  Config,
  'maxCacheBytes' | 'imageProcessors' | 'makesThumbnails' | 'makesBigPictures'
> {
  readonly cacheFolder: string;
}

/** Numbers of requested pictures. */
export interface PreviewCounts {
  readonly made: number;
  readonly cached: number;
  readonly failed: number;
  readonly waiting: number;
}

/** The previews of a server. */
export interface Previews {
  readonly send: SendPreview;
  /** Called with the names of a folder that is being listed: its thumbnails will probably be requested next. */
  onListing(names: readonly string[]): void;
  /** Returns the number of requested pictures by outcome since the start, and of those that wait to be made. */
  counts(): PreviewCounts;
  /** Ends the decoder processes. */
  close(): void;
}

/** Caches the failures of files for a while, so that repeated requests are cheap. `check` throws a cached one. */
function createFailureMemory(now: Clock['now']): {
  check(key: string): void;
  record(key: string, error: unknown): void;
} {
  const failures = new Map<string, { error: unknown; untilMs: number }>();
  return {
    check(key) {
      const known = failures.get(key);
      if (known === undefined) return;
      if (known.untilMs > now()) throw known.error;
      failures.delete(key);
    },
    record(key, error) {
      if (!isAppError(error, 'broken_image', 'image_too_large', 'no_preview')) return;
      const [oldest] = failures.keys();
      if (failures.size >= maxRemembered && oldest !== undefined) failures.delete(oldest);
      failures.set(key, { error, untilMs: now() + rememberedMs });
    },
  };
}

/**
 * Returns a function that finds pictures in `cache` or makes them. Each picture is made once for all concurrent
 * requests; at most `processors` are made at once, in turns between parties.
 */
export function createGetPicture({
  cache,
  tools,
  processors,
  now,
}: {
  cache: Pick<PreviewCache, 'get' | 'put'>;
  tools: PreviewTools;
  processors: number;
  now: Clock['now'];
}): { getPicture: GetPicture; counts: () => PreviewCounts } {
  const counted = { made: 0, cached: 0, failed: 0 };
  const queue = openFairQueue({ running: processors, waiting: maxWaiting, refusal: 'busy' });
  const shared = createSharedWork<EncodedPicture>(queue);
  const failures = createFailureMemory(now);
  const getPicture: GetPicture = async (
    { key, file, source, variant },
    { party, getSignal },
    onHandedOver,
  ) => {
    failures.check(key);
    const cached = await cache.get(key);
    if (cached !== null) {
      counted.cached += 1;
      return cached;
    }
    return shared.run(key, { party, signal: getSignal() }, async (abandoned, inTurn) => {
      onHandedOver();
      try {
        const picture = await inTurn(() => makePreview(file, source, { variant, tools, signal: abandoned }));
        await cache.put(key, picture);
        counted.made += 1;
        return picture;
      } catch (error) {
        counted.failed += 1;
        failures.record(key, error);
        throw error;
      } finally {
        await file.close();
      }
    });
  };
  return { getPicture, counts: () => ({ ...counted, waiting: queue.waiting }) };
}

/** Delay after the start until the cache folder is read, so that it does not slow down the start. */
const cacheReadDelayMs = 500;

/** Number of names of a listing that are examined for pictures. */
const examinedNames = 1_000;

const containsPicture = (names: readonly string[]): boolean =>
  names.slice(-examinedNames).some((name) => mediaTypeOfName(name)?.startsWith('image/') === true);

/** Receives the problems of previews, for the log. */
export interface PreviewProblems {
  /** Called when the cache cannot be read or written. */
  onTrouble(error: unknown): void;
  /** Called once for each missing tool, with the consequence and the remedy. */
  onMissing(text: string): void;
}

/** Opens previews. Decoders are started when a folder with pictures is listed, or by the first request. */
export function openPreviews(
  options: PreviewOptions,
  clock: Clock,
  { onTrouble, onMissing }: PreviewProblems,
): Previews {
  const reportMissing = reportMissingOnce(onMissing);
  const decoders = openDecoderPool();
  const cache = openPreviewCache({
    folder: options.cacheFolder,
    maxBytes: options.maxCacheBytes,
    onTrouble,
    now: clock.now,
  });
  const cancelPrepare = clock.after(cacheReadDelayMs, () => cache.prepare());
  const { getPicture, counts } = createGetPicture({
    cache,
    tools: {
      decoders,
      extractFrame: createExtractFrame({ onMissing: () => reportMissing('ffmpeg') }),
      onMissing: reportMissing,
    },
    processors: options.imageProcessors,
    now: clock.now,
  });
  // More processes than cores would not make pictures faster.
  const decodersAtOnce = Math.min(options.imageProcessors, availableParallelism());
  return {
    onListing: (names) => {
      if (options.makesThumbnails && containsPicture(names)) decoders.warmUp(decodersAtOnce);
    },
    counts,
    send: delayRefusals(
      createSendPreview(getPicture, {
        thumb: options.makesThumbnails,
        medium: options.makesThumbnails,
        big: options.makesBigPictures,
      }),
      clock,
    ),
    close() {
      cancelPrepare();
      decoders.close();
      void cache.close().catch(onTrouble);
    },
  };
}
