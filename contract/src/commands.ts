import { endpoint } from './endpoint.ts';
import * as z from 'zod/mini';

export const runCommand = endpoint({
  id: 'runCommand',
  feature: 'commands',
  method: 'GET',
  path: '/api/command/*',
  summary: 'WebSocket: the first message is a command line, its output comes back line by line',
  description:
    'The path is the working folder. The first text message that is not blank is split into words as a shell does; its ' +
    'first word has to be one of the user’s commands. Each line that the program prints comes as one text message while ' +
    'it runs; the connection ends with it. With `blocks=true` one message holds several lines, and the client answers each ' +
    'with a message of its own once it has dealt with it. Only for programs and for pages of this server’s own origin. 403 unless the ' +
    'server was started with command execution.',
  caller: 'signed_in',
  needs: ['execute'],
  acceptsCookie: true,
  query: z.object({
    auth: z.optional(z.string()),
    /** `true`: several lines come as one message, and each such message is confirmed by one of the client. */
    blocks: z.optional(z.string()),
  }),
  answers: { 101: { description: 'Switching protocols' } },
  errors: [
    'bad_request',
    'invalid_path',
    'not_signed_in',
    'forbidden',
    'external_link',
    'not_found',
    'not_a_folder',
    'too_many_requests',
  ],
});
