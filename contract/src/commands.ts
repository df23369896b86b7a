import { endpoint } from './endpoint.ts';
import * as z from 'zod/mini';

export const runCommand = endpoint({
  id: 'runCommand',
  feature: 'commands',
  method: 'GET',
  path: '/api/command/*',
  summary: 'WebSocket: the first message is a command line, its output comes back line by line',
  caller: 'signed_in',
  needs: ['execute'],
  acceptsCookie: true,
  query: z.object({ auth: z.optional(z.string()) }),
  answers: { 101: { description: 'Switching protocols' } },
  errors: ['not_signed_in', 'forbidden', 'not_found'],
});
