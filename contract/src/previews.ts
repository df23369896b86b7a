import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';

export const previewSizes = ['thumb', 'big'] as const;
/** `thumb` fills a square of 256 pixels, `big` fits into one of 1080 (docs/reference/filebrowser-api.md §1.8). */
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
    'Available for images, camera RAW files, audio files with a cover, and videos if ffmpeg is installed. GIF and SVG files are returned unchanged.',
  access: 'signed_in',
  needs: ['download'],
  acceptsCookie: true,
  params: z.object({ size: z.enum(previewSizes) }),
  query: z.object({
    inline: z.optional(z.string()),
    key: z.optional(z.string()),
    auth: z.optional(z.string()),
  }),
  responses: {
    200: { description: 'The image', bytes: true },
    206: { description: 'The requested range of the image', bytes: true },
    304: { description: 'Not modified' },
  },
  errors: [
    'bad_request',
    'invalid_path',
    'not_signed_in',
    'forbidden',
    'external_link',
    'special_file',
    'not_found',
    'not_a_folder',
    ...previewErrors,
  ],
});
