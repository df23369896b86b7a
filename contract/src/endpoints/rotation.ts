import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { maxJsonBodyBytes } from '../values/limits.ts';
import { pathErrors } from '../values/error-groups.ts';

export const rotatePicture = endpoint({
  id: 'rotatePicture',
  feature: 'previews',
  method: 'POST',
  path: '/api/rotate/*',
  summary: 'Rotate a JPEG picture without loss',
  description:
    'Changes the EXIF orientation and no pixel; a picture without EXIF data gets them, with its modification time as the time of the last change. The former state is kept as a version. Other formats and damaged files are refused with `broken_image`.',
  access: 'signed_in',
  needs: ['modify', 'download'],
  body: z.object({
    /** Clockwise. */
    degrees: z.union([z.literal(90), z.literal(180), z.literal(270)]),
  }),
  maxBodyBytes: maxJsonBodyBytes,
  responses: {
    200: {
      description: 'Rotated; `ETag` identifies the new version, `X-Operation` the change',
      json: z.object({
        /** The new EXIF orientation, 1 to 8. */
        orientation: z.int(),
        /** Bytes. */
        size: z.number(),
        /** RFC 3339, in UTC. */
        modified: z.string(),
      }),
    },
  },
  errors: [
    ...pathErrors,
    'bad_request',
    'special_file',
    'not_a_folder',
    'is_folder',
    'broken_image',
    'cannot_keep',
    'precondition_failed',
    'storage_full',
    'storage_unavailable',
  ],
});
