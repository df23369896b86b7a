import { archiveFormatNamed, archiveForms, createArchive, getArchive } from '@filestead/contract/archives';
import { isValidNewName, parsePath } from '@filestead/contract/virtual-path';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../http/caller.ts';
import { AppError } from '../http/app-error.ts';
import type { Route } from '../http/route.ts';
import { ArchiveTickets, ticketLifeSeconds } from './archive-tickets.ts';
import { archiveName, planArchive } from './plan-archive.ts';
import type { SendArchive } from './send-archive.ts';

/** Downloads of selections that are too long for an address: asked for with a body, then fetched with a ticket. */
export function registerArchives(
  app: FastifyInstance,
  options: {
    route: Route;
    sendArchive: SendArchive;
    /** What the top of a caller's scope is called. */
    rootNameOf: (caller: Caller) => string;
  },
): void {
  const { route, sendArchive, rootNameOf } = options;
  const tickets = new ArchiveTickets();

  route(app, createArchive, async ({ caller, body, signal }) => {
    const format = archiveFormatNamed(body.format);
    if (format === null) throw new AppError('unsupported_archive_format');
    if (body.name !== undefined && !isValidNewName(body.name)) {
      throw new AppError('bad_request', 'body.name: not the name of a file');
    }
    const paths = body.paths.map((path) => parsePath(path).path);
    await planArchive(await caller.storage(), paths, signal);
    const name = body.name ?? archiveName(paths, rootNameOf(caller));
    const ticket = tickets.issue({ sessionId: caller.sessionId, paths, format, name });
    return { ticket, name: name + archiveForms[format].extension, validForSeconds: ticketLifeSeconds };
  });

  route(app, getArchive, async ({ caller, params, request, reply, signal }) => {
    const archive = tickets.find(params.ticket, caller.sessionId);
    if (archive === null) throw new AppError('not_found');
    if (request.raw.method === 'GET') tickets.use(params.ticket);
    const { paths, format, name } = archive;
    await sendArchive({ storage: await caller.storage(), paths, format, name, request, reply, signal });
    return undefined;
  });
}
