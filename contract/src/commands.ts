import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { tokenQuery } from './values/download-queries.ts';
import { pathErrors } from './values/error-groups.ts';

export const runCommand = endpoint({
  id: 'runCommand',
  feature: 'commands',
  method: 'GET',
  path: '/api/command/*',
  summary: 'WebSocket: run the command line of the first message and stream its output line by line',
  description:
    'The path is the working folder. The first text message that is not blank is split into words by the rules of a shell; the first word must be one of the user’s commands. Each line of output is sent as one text message while the command runs; the server closes the connection when the command ends. With `blocks=true` one message contains several lines, and the client must acknowledge each message with one of its own once it has processed it. Browsers may connect from pages of this server’s own origin only. 403 unless the server was started with command execution enabled.',
  access: 'signed_in',
  needs: ['execute'],
  acceptsCookie: true,
  query: z.object({
    ...tokenQuery,
    /** `true`: a message contains several lines, and the client acknowledges each message with one of its own. */
    blocks: z.optional(z.string()),
  }),
  responses: { 101: { description: 'Switching protocols' } },
  errors: [...pathErrors, 'bad_request', 'not_a_folder', 'too_many_requests'],
});
