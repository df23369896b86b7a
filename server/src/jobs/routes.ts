import type { AuditOutcome } from '@filestead/contract/audit';
import { errorStatus } from '@filestead/contract/errors';
import { listDuplicates as listDuplicatesEndpoint } from '@filestead/contract/endpoints/duplicates';
import * as endpoints from '@filestead/contract/jobs';
import type { Job, JobKind } from '@filestead/contract/jobs';
import { defaultDuplicateGroups } from '@filestead/contract/values/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UserContext } from '../access/user-context.ts';
import { auditRecord } from '../audit/audit-record.ts';
import type { JobRepository } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { auditAction } from '../http/server/audit.ts';
import type { Route } from '../http/server/route.ts';
import { sendChunks } from '../http/response/send-chunks.ts';
import { EventStream, eventStreamHeaders } from '../http/response/event-stream.ts';
import { hijackReply } from '../http/response/hijack-reply.ts';
import { listDuplicates } from './duplicates/list-duplicates.ts';
import { type JobFeed, openJobFeed } from './job-feed.ts';
import type { JobRecord } from './job-record.ts';
import { type JobLimits, type Jobs, openJobs } from './jobs.ts';
import type { PlannedJob } from './new-job.ts';
import type { JobDependencies } from './job-dependencies.ts';

/** Results per chunk of the response. */
const resultsPerChunk = 500;

/** Paths of a selection that the audit log records. */
const auditedPaths = 10;

/** Serializes the job with its results, in chunks because there may be a hundred thousand results. */
async function* detailsOf(job: JobRecord, jobs: Jobs): AsyncGenerator<string> {
  yield `${JSON.stringify(job.present()).slice(0, -1)},"results":[`;
  let isFirst = true;
  // A search for duplicates has an endpoint for them, which leaves out what the user may no longer list.
  for await (const part of job.folder === null ? jobs.resultsOf(job) : []) {
    for (let first = 0; first < part.length; first += resultsPerChunk) {
      const chunk = JSON.stringify(part.slice(first, first + resultsPerChunk));
      yield `${isFirst ? '' : ','}${chunk.slice(1, -1)}`;
      isFirst = false;
    }
  }
  yield ']}';
}

/** Returns how a job has ended, for its audit record. */
function endOf(job: JobRecord): { outcome: AuditOutcome; reason: string | null } {
  if (job.state === 'cancelled') return { outcome: 'aborted', reason: 'cancelled' };
  const code = job.firstFailure;
  if (code === null) return { outcome: 'success', reason: null };
  return { outcome: errorStatus[code] >= 500 ? 'failed' : 'refused', reason: code };
}

/** Returns the function that writes the audit record of the end of a job. */
function auditEnd(
  request: FastifyRequest,
  { user }: UserContext,
  about: { readonly kind: JobKind; readonly count: number; readonly paths: string[] },
): (ended: JobRecord) => void {
  // The connection may be closed when the job ends.
  const address = clientAddress(request);
  const actor = { id: user.id, name: user.username };
  return (ended) =>
    auditAction(request, {
      event: 'job.end',
      ...endOf(ended),
      actor,
      address,
      target: { job: ended.id, ...about },
    });
}

/** Starts a job for another feature, whose end is recorded in the audit log. Throws `too_many_requests`. */
export async function startAuditedJob(
  jobs: Pick<Jobs, 'start'>,
  userContext: UserContext,
  planned: PlannedJob,
  request: FastifyRequest,
): Promise<Job> {
  const paths = planned.items.slice(0, auditedPaths).map(({ from }) => from.path);
  const about = { kind: planned.kind, count: planned.items.length, paths };
  const job = await jobs.start(userContext, planned, auditEnd(request, userContext, about));
  request.audit.target.job = job.id;
  return job.present();
}

/** The jobs as other features use them. */
export type RunningJobs = Pick<Jobs, 'count' | 'start'> & Pick<JobFeed, 'join'>;

/** Registers the endpoints that create, list, follow and cancel jobs. */
export async function registerJobs(
  app: FastifyInstance,
  {
    route,
    limits,
    views,
    ...parts
  }: Omit<JobDependencies, 'log' | 'progressOf' | 'repository'> & {
    route: Route;
    limits: JobLimits;
    repository: JobRepository;
    views: EntryViews;
  },
): Promise<RunningJobs> {
  const feed = openJobFeed((userId) => jobs.of(userId), parts.clock);
  const onResumedEnd = (job: JobRecord): void => {
    const { id, kind, userId, itemCount } = job;
    const audit = auditRecord({
      event: 'job.end',
      ...endOf(job),
      actor: { id: userId },
      channel: 'none',
      target: { job: id, kind, count: itemCount },
    });
    app.auditLog.info({ audit }, 'audit: job.end');
  };
  const jobs: Jobs = await openJobs({ ...parts, onResumedEnd, log: app.log }, limits, feed);
  app.addHook('onListen', async () => jobs.resume());
  app.addHook('preClose', async () => {
    feed.close();
    await jobs.close();
  });

  route(app, endpoints.createJob, async ({ userContext, body, request }) => {
    const paths = body.items.slice(0, auditedPaths).map(({ from }) => from);
    const about = { kind: body.kind, count: body.items.length, paths };
    Object.assign(request.audit.target, about);
    const job = await jobs.create(userContext, body, auditEnd(request, userContext, about));
    request.audit.target.job = job.id;
    return job.present();
  });

  route(app, endpoints.listJobs, async ({ userContext }) =>
    jobs.of(userContext.user.id).map((job) => job.present()),
  );

  route(app, endpoints.getJob, async ({ userContext, params, request, reply }) => {
    const job = jobs.find(userContext.user.id, params.id);
    await sendChunks(request, reply, 'application/json; charset=utf-8', detailsOf(job, jobs));
    return undefined;
  });

  route(app, listDuplicatesEndpoint, async ({ userContext, params, query }) => {
    const job = jobs.find(userContext.user.id, params.id);
    // Paths of another scope have another meaning.
    if (job.scope !== userContext.user.scope) throw new AppError('not_found');
    return listDuplicates({
      job,
      results: jobs.resultsOf(job),
      storage: await userContext.storage(),
      limit: query.limit ?? defaultDuplicateGroups,
      views,
    });
  });

  route(app, endpoints.cancelJob, async ({ userContext, params }) => {
    jobs.cancel(userContext.user.id, params.id);
    return undefined;
  });

  route(app, endpoints.followJobs, async ({ userContext, request, reply, signal }) => {
    if (!feed.hasRoomFor(userContext.user.id))
      throw new AppError('too_many_requests', 'too many open streams of events');
    const response = hijackReply(reply, 200, eventStreamHeaders);
    if (request.method === 'HEAD') {
      response.end();
      return undefined;
    }
    const stream = new EventStream(response, parts.clock);
    signal.addEventListener('abort', () => stream.close(), { once: true });
    stream.open();
    feed.follow(userContext.user.id, stream);
    return undefined;
  });
  return {
    count: () => jobs.count(),
    start: (...started) => jobs.start(...started),
    join: (userId, stream, names) => feed.join(userId, stream, names),
  };
}
