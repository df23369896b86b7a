import type { ArchiveRequest, ArchiveTicket } from '@filestead/contract/archives';
import { archiveFormatNamed, archiveFormatNames } from '@filestead/contract/values/archive-formats';
import { type VirtualPath, isValidNewName, parsePath } from '@filestead/contract/paths/virtual-path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Party } from '../scheduling/party.ts';
import type { Storage } from '../storage/storage.ts';
import { Yielder } from '../scheduling/event-loop.ts';
import { ArchiveTickets, ticketLifeSeconds } from './archive-tickets.ts';
import { archiveName, planArchive } from './plan-archive.ts';
import type { SendArchive } from './send-archive.ts';

/** The holder who requests or fetches an archive, with the storage that they have access to now. */
interface Requester {
  readonly holder: string;
  readonly storage: Storage;
  readonly signal: AbortSignal;
}

/** Archives that are requested with a body and then fetched with a ticket. */
export interface TicketedArchives {
  /**
   * Checks the selection and issues a ticket. Throws `unsupported_archive_format`, `bad_request`, `invalid_path`, and the
   * errors of {@link planArchive}. `rootName` is the name of the storage's root.
   */
  issue(
    options: Requester & {
      readonly party: Party;
      readonly body: ArchiveRequest;
      readonly rootName: string;
    },
  ): Promise<ArchiveTicket>;
  /** Sends the archive; a GET invalidates the ticket, a HEAD does not. Throws `not_found`, and the errors of {@link SendArchive}. */
  send(
    options: Requester & {
      readonly ticket: string;
      readonly request: FastifyRequest;
      readonly reply: FastifyReply;
    },
  ): Promise<void>;
}

/** Opens the tickets of archives. `now` is in Unix milliseconds. */
export function openTicketedArchives(sendArchive: SendArchive, now: () => number): TicketedArchives {
  const tickets = new ArchiveTickets(now);
  return {
    async issue({ holder, party, storage, body, rootName, signal }) {
      const format = archiveFormatNamed(body.format);
      if (format === null) throw new AppError('unsupported_archive_format');
      if (body.name !== undefined && !isValidNewName(body.name)) {
        throw new AppError('bad_request', 'body.name: is not a valid file name');
      }
      const paths: VirtualPath[] = [];
      const yielder = new Yielder();
      for (const path of body.paths) {
        paths.push(parsePath(path).path);
        if (yielder.isDue()) await yielder.yield();
      }
      await planArchive(storage, paths, signal);
      const name = body.name ?? (await archiveName(paths, rootName));
      const ticket = tickets.issue({ holder, paths, format, name }, party.join(' '));
      return {
        ticket,
        name: name + archiveFormatNames[format].extension,
        validForSeconds: ticketLifeSeconds,
      };
    },
    async send({ holder, ticket, storage, request, reply, signal }) {
      const archive = tickets.find(ticket, holder);
      if (archive === null) throw new AppError('not_found');
      if (request.raw.method === 'GET') tickets.use(ticket);
      const { paths, format, name } = archive;
      await sendArchive({ storage, paths, format, name, request, reply, signal });
    },
  };
}
