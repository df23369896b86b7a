/** Limits of previews. Sizes in bytes, times in milliseconds, unless the name says otherwise. */

/**
 * The box of each size in pixels. `thumb` fills it and is cropped; `medium` and `big` fit into it
 * (docs/reference/filebrowser-api.md §1.8).
 */
export const boxPx = { thumb: 256, medium: 480, big: 1080 } as const;
/** Version of the preview generation. A change invalidates all cached previews. */
export const recipe = 1;

/** Maximum size of a picture file that is decoded. Larger ones are refused without being read. */
export const maxPictureBytes = 192 * 1024 * 1024;
/** Maximum number of pixels in formats that can be decoded incrementally. Phones take pictures of 200 megapixels. */
export const maxPixels = 220_000_000;
/**
 * Maximum number of pixels in formats that are decoded in memory: progressive JPEG, interlaced PNG, WebP, AVIF, HEIC,
 * BMP.
 */
export const maxWholePixels = 100_000_000;
/** Maximum number of pixels of a video frame. 8K has 33 million. */
export const maxVideoPixels = 40_000_000;
/** Maximum size up to which animations and drawings are their own thumbnails. Larger ones get a still picture. */
export const maxOriginalThumbBytes = 1024 * 1024;

/** Time limit of decoding one picture. */
export const decodeTimeoutMs = 20_000;
/** Time limit of the extraction of a frame by the external program. */
export const videoTimeoutMs = 20_000;
/** Maximum size of a frame from the external program: a JPEG of at most 1080 × 1080 pixels. */
export const maxFrameBytes = 8 * 1024 * 1024;
/** Memory limit of a decoder. When it is exceeded, the decoder ends and its picture is refused. */
export const maxDecoderMemoryBytes = 1536 * 1024 * 1024;
/** Memory use at which a decoder is replaced after its response. */
export const recycledDecoderMemoryBytes = 384 * 1024 * 1024;
/** Time after which an idle decoder ends. */
export const decoderIdleMs = 120_000;

/** Maximum length of the queue. Requests beyond it are refused with `Retry-After`. */
export const maxWaiting = 1000;
/** Time after which a request is refused because the queue is full. */
export const refusalDelayMs = 1_000;
/** Maximum number of files whose failure is cached. */
export const maxRemembered = 2000;
/** Time for which a failure is cached. */
export const rememberedMs = 10 * 60 * 1000;
