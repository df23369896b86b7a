import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { pictureQuery, tokenQuery } from './values/download-queries.ts';
import { maxMediaBodyBytes, maxMediaNames } from './values/limits.ts';
import { pathErrors } from './values/error-groups.ts';
import { versionId } from './values/random-id.ts';

export const previewSizes = ['thumb', 'medium', 'big'] as const;
/**
 * `thumb` fills a square of 256 pixels, `medium` fits into one of 480 and `big` into one of 1080
 * (docs/reference/filebrowser-api.md §1.8).
 */
export type PreviewSize = (typeof previewSizes)[number];

/** The error codes of thumbnail requests, in addition to those of every request for a file. */
export const previewErrors = [
  'precondition_failed',
  'image_too_large',
  'range_not_satisfiable',
  'broken_image',
  'no_preview',
  'busy',
] as const satisfies readonly ErrorCode[];

export const getPreview = endpoint({
  id: 'getPreview',
  feature: 'previews',
  method: 'GET',
  path: '/api/preview/{size}/*',
  summary: 'Get a thumbnail or a preview image of a file',
  description:
    '`thumb` is cropped to a square of 256 pixels, `medium` fits into 480 pixels and `big` into 1080. Available for images, camera RAW files, audio files with a cover, and videos if ffmpeg is installed. GIF and SVG files are returned unchanged. With `version`, the id of a version of the file, the image shows that version.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params: z.object({ size: z.enum(previewSizes) }),
  query: z.object({ ...pictureQuery, ...tokenQuery, version: z.optional(versionId) }),
  responses: {
    200: { description: 'The image', bytes: true },
    206: { description: 'The requested range of the image', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [...pathErrors, 'bad_request', 'special_file', 'not_a_folder', ...previewErrors],
});

/** A position on Earth in degrees north and east (WGS 84). */
export const Position = z.object({ latitude: z.number(), longitude: z.number() });
export type Position = z.output<typeof Position>;

/** The town at or near the position of a picture. */
export const Place = z.object({
  /** Its name, as it is written in its country or in English. */
  town: z.string(),
  /** ISO 3166-1, two capital letters. */
  country: z.string(),
});
export type Place = z.output<typeof Place>;

/** The properties of a picture or video that determine its place on a page of photos. */
export const MediaSize = z.object({
  /** Pixels, as shown: after the rotation that the camera recorded. 0 if unknown. */
  width: z.int(),
  height: z.int(),
  /**
   * The time at which it was taken: the local time of the camera without a time zone (`2026-11-15T14:21:07`), or UTC
   * with `Z`, as videos record it. Absent if unknown.
   */
  taken: z.optional(z.string()),
  /** The duration of a video. */
  seconds: z.optional(z.number()),
  /** Where it was taken. Absent without a position, and far from all towns. */
  place: z.optional(Place),
});
export type MediaSize = z.output<typeof MediaSize>;

/** All properties that the header of a picture, video or audio file contains; absent ones are unknown. */
export const MediaInfo = z.object({
  ...MediaSize.shape,
  /** Where it was taken, to about a meter. */
  position: z.optional(Position),
  camera: z.optional(z.string()),
  lens: z.optional(z.string()),
  focalLengthMm: z.optional(z.number()),
  /** The f-number. */
  aperture: z.optional(z.number()),
  exposureSeconds: z.optional(z.number()),
  iso: z.optional(z.int()),
  title: z.optional(z.string()),
  artist: z.optional(z.string()),
  album: z.optional(z.string()),
});
export type MediaInfo = z.output<typeof MediaInfo>;

const mediaErrors = [...pathErrors, 'bad_request', 'not_a_folder', 'storage_unavailable', 'busy'] as const;

/** The files of a request for sizes. */
export const MediaNames = z.object({
  /** Paths below the folder, without a leading slash. */
  names: z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(maxMediaNames)),
});

/** The limits of a body with {@link MediaNames}. */
export const mediaBodyLimits = {
  maxBodyBytes: maxMediaBodyBytes,
  maxBodyElements: maxMediaNames + 10,
} as const;

export const listMedia = endpoint({
  id: 'listMedia',
  feature: 'previews',
  method: 'POST',
  path: '/api/media/*',
  summary: 'Get the sizes, dates and places of pictures and videos below a folder',
  description: `Reads only the headers of the files, within limits. The rows are in the order of the names (at most ${maxMediaNames}); a row is null for a file whose size is unknown or that the caller may not read. The response may have fewer rows than names when reading takes long; request the others again.`,
  access: 'signed_in',
  needs: ['download'],
  body: MediaNames,
  ...mediaBodyLimits,
  responses: {
    200: { description: 'The rows', json: z.object({ rows: z.array(z.nullable(MediaSize)) }) },
  },
  errors: [...mediaErrors, 'payload_too_large'],
});

export const getMedia = endpoint({
  id: 'getMedia',
  feature: 'previews',
  method: 'GET',
  path: '/api/media/*',
  summary: 'Get the properties in the header of a picture, video or audio file',
  description:
    'Size, date, position, camera, lens and exposure of a picture; size and duration of a video; title, artist and album of an audio file. The position of a picture is returned with the nearest town of a table in the server; no other service is asked. Reads only the header, within limits.',
  access: 'signed_in',
  needs: ['download'],
  responses: { 200: { description: 'The properties; width and height are 0 if unknown', json: MediaInfo } },
  errors: [...mediaErrors, 'special_file'],
});
