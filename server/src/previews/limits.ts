/** Limits of previews as data. Sizes in bytes, times in milliseconds, unless the name says otherwise. */

/** The box of each size in pixels: `thumb` is filled and cut, `big` holds the whole picture (docs/reference/filebrowser-api.md §1.8). */
export const boxPx = { thumb: 256, big: 1080 } as const;
/** Names how previews are made; a change makes all that are kept worthless. */
export const recipe = 1;

/** Largest picture file that is decoded. Larger ones are refused without being read. */
export const maxPictureBytes = 192 * 1024 * 1024;
/** Most pixels of a picture whose format can be decoded piece by piece. Phones make 200 megapixels. */
export const maxPixels = 220_000_000;
/** Most pixels of a picture that has to lie in memory whole: progressive JPEG, interlaced PNG, WebP, AVIF, HEIC, BMP. */
export const maxWholePixels = 100_000_000;
/** Most pixels of one frame of a video. 8K has 33 million. */
export const maxVideoPixels = 40_000_000;
/** Animations and drawings up to this size are their own thumbnail; larger ones get a still picture. */
export const maxOriginalThumbBytes = 1024 * 1024;

/** One picture may keep a decoder busy for so long. */
export const decodeTimeoutMs = 20_000;
/** A helper program may look for a frame for so long. */
export const videoTimeoutMs = 20_000;
/** Largest frame that is taken from a helper program, as a JPEG of at most 1080 × 1080 pixels. */
export const maxFrameBytes = 8 * 1024 * 1024;
/** A decoder that uses more memory than this ends, and its picture is refused. */
export const maxDecoderMemoryBytes = 1536 * 1024 * 1024;
/** A decoder that has grown to this size is replaced by a fresh one. */
export const recycledDecoderMemoryBytes = 384 * 1024 * 1024;
/** A decoder without work ends after this time. */
export const decoderIdleMs = 30_000;

/** Most requests that wait for their turn; further ones are told to come back. */
export const maxWaiting = 1000;
/** Most files that are remembered as not worth another attempt, and for how long. */
export const maxRemembered = 2000;
export const rememberedMs = 10 * 60 * 1000;
