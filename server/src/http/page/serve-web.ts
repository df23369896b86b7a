import { createHash } from 'node:crypto';
import type { PageConfig } from '@filestead/contract/page-config';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setApiHeaders } from '../response/send-response.ts';
import { AppError } from '../../errors.ts';
import type { Branding } from './branding.ts';
import { logAndSendError } from '../response/error-handler.ts';
import { renderManifest } from './manifest.ts';
import { type Page, renderPage } from './page.ts';
import { refuseOtherMethods } from '../server/route.ts';
import { rawPathOf } from '../request/target.ts';
import type { Asset, WebBuild } from './web-build.ts';

/** Files below this path have a content hash in their name. */
const hashedPrefix = 'static/assets/';
const staticPrefix = 'static/';

const pageHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
} as const;

const assetHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Headers for files of the branding folder; they prevent scripts inside an image from running. */
const brandingHeaders = {
  ...assetHeaders,
  'content-security-policy':
    "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors 'none'",
} as const;

/** The application's workers that send requests. The policy of a worker is that of the response with its script. */
const workers = /^(?:sw|static\/assets\/live-worker-[\w-]+)\.js$/;
const workerPolicy = "default-src 'self'; frame-ancestors 'none'";

/** Excludes search engines. */
const robots = 'User-agent: *\nDisallow: /\n';

/** Sends bytes that may change under the same name; browsers revalidate them each time. */
function sendRevalidated(request: FastifyRequest, reply: FastifyReply, bytes: Buffer | string): FastifyReply {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  reply.header('cache-control', 'no-cache').header('etag', etag);
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes);
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, path: string, asset: Asset): FastifyReply {
  const { bytes, type, coding, varies } = asset;
  reply.headers(assetHeaders).type(type);
  if (workers.test(path)) reply.header('content-security-policy', workerPolicy);
  if (varies) reply.header('vary', 'Accept-Encoding');
  if (coding !== null) reply.header('content-encoding', coding);
  if (!path.startsWith(hashedPrefix)) return sendRevalidated(request, reply, bytes);
  reply.header('cache-control', 'public, max-age=31536000, immutable');
  return reply.send(bytes);
}

/** Returns the asset path for a raw path; null if it cannot be one. */
function assetPathOf(rawPath: string): string | null {
  try {
    const path = decodeURIComponent(rawPath).replace(/^\//, '');
    // Browsers request this path by default.
    return path === 'favicon.ico' ? 'static/img/icons/favicon.ico' : path;
  } catch {
    return null;
  }
}

/** The parts that the web application is served from. */
export interface WebParts {
  readonly build: WebBuild;
  readonly branding: Branding;
  readonly baseUrl: string;
  /** Configuration of the page; `CSS` is determined when the page is sent. */
  readonly pageConfig: () => PageConfig;
  /** Origins of the captcha's resources. */
  readonly captchaOrigins?: readonly string[];
}

/**
 * Serves the web application for every request that is not an endpoint: files of the build by name, files of
 * the branding folder first, and the page for all other reads outside `/api` and `/static`, because routing
 * of screens is done by the application.
 */
export function serveWeb(app: FastifyInstance, parts: WebParts): void {
  const { build, branding, baseUrl, captchaOrigins = [] } = parts;
  let rendered: { key: string; page: Page } | undefined;
  const currentConfig = async (): Promise<PageConfig> => ({
    ...parts.pageConfig(),
    CSS: await branding.hasStylesheet(),
  });
  const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
    const built = await build.page();
    if (built === null) throw new AppError('not_found', 'the web application has not been built');
    const config = await currentConfig();
    const key = JSON.stringify(config);
    if (rendered?.key !== key) rendered = { key, page: renderPage(built, config, captchaOrigins) };
    return reply
      .headers(pageHeaders)
      .header('content-security-policy', rendered.page.contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send(rendered.page.html);
  };
  const sendManifest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const built = await build.asset('manifest.webmanifest', '');
    const builtMembers =
      built === null ? {} : (JSON.parse(built.bytes.toString('utf8')) as Record<string, unknown>);
    const text = renderManifest(builtMembers, parts.pageConfig());
    reply.headers(assetHeaders).type('application/manifest+json; charset=utf-8');
    return sendRevalidated(request, reply, text);
  };
  /** Sends a file with its own address; returns null for any other path. */
  const sendFile = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
  ): Promise<FastifyReply | null> => {
    if (path === 'manifest.webmanifest' || path === 'manifest.json') return sendManifest(request, reply);
    if (path === 'robots.txt') {
      reply.headers(assetHeaders).type('text/plain; charset=utf-8');
      return sendRevalidated(request, reply, robots);
    }
    const brandingFile = path.startsWith(staticPrefix)
      ? await branding.file(path.slice(staticPrefix.length))
      : null;
    if (brandingFile !== null) {
      reply.headers(brandingHeaders).type(brandingFile.type);
      return sendRevalidated(request, reply, brandingFile.bytes);
    }
    const asset = await build.asset(path, request.headers['accept-encoding'] ?? '');
    return asset === null ? null : sendAsset(request, reply, path, asset);
  };

  app.setNotFoundHandler(async (request, reply) => {
    try {
      const path = rawPathOf(request.raw.url ?? '/');
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (path === '/files' && isRead) {
        return await setApiHeaders(reply).redirect(`${baseUrl}/files/`, 302);
      }
      const assetPath = isRead ? assetPathOf(path) : null;
      const sent = assetPath === null ? null : await sendFile(request, reply, assetPath);
      if (sent !== null) return sent;
      refuseOtherMethods(app, request, path, reply);
      const isPage = !/^\/(?:(?:api|static)(?:\/|$)|favicon\.ico$|sw\.js$)/i.test(path);
      if (!isRead || !isPage) throw new AppError('not_found');
      return await sendPage(reply);
    } catch (error) {
      return logAndSendError(error, request, reply);
    }
  });
}
