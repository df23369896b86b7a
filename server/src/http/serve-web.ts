import { createHash } from 'node:crypto';
import type { PageConfig } from '@filestead/contract/page-config';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setApiHeaders } from './answer.ts';
import { AppError } from './app-error.ts';
import { answerWithError } from './error-handler.ts';
import { type Page, renderPage } from './page.ts';
import { rawPathOf } from './target.ts';
import type { Asset, WebBuild } from './web-build.ts';

/** Files below here carry a hash of their content in their name. */
const hashedPrefix = 'static/assets/';

const pageHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

const assetHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

function sendAsset(request: FastifyRequest, reply: FastifyReply, path: string, asset: Asset): FastifyReply {
  const { bytes, type, coding, varies } = asset;
  reply.headers(assetHeaders).type(type);
  if (varies) reply.header('vary', 'Accept-Encoding');
  if (coding !== null) reply.header('content-encoding', coding);
  if (path.startsWith(hashedPrefix)) {
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return reply.send(bytes);
  }
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  reply.header('cache-control', 'no-cache').header('etag', etag);
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes);
}

/** The path of an asset that a raw path names; null when it cannot be one. */
function assetPathOf(rawPath: string): string | null {
  try {
    return decodeURIComponent(rawPath).replace(/^\//, '');
  } catch {
    return null;
  }
}

/**
 * Serves the web application to everything that is no endpoint: its files by name, and its page for every other read
 * outside `/api` and `/static`, for the application itself knows its screens.
 */
export function serveWeb(
  app: FastifyInstance,
  {
    build,
    baseUrl,
    pageConfig,
    captchaOrigins = [],
  }: {
    build: WebBuild;
    baseUrl: string;
    pageConfig: () => PageConfig;
    /** Where the parts of a captcha come from. */
    captchaOrigins?: readonly string[];
  },
): void {
  let rendered: { key: string; page: Page } | undefined;
  const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
    const built = await build.page();
    if (built === null) throw new AppError('not_found', 'the web application has not been built');
    const config = pageConfig();
    const key = JSON.stringify(config);
    if (rendered?.key !== key) rendered = { key, page: renderPage(built, config, captchaOrigins) };
    return reply
      .headers(pageHeaders)
      .header('content-security-policy', rendered.page.contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send(rendered.page.html);
  };

  app.setNotFoundHandler(async (request, reply) => {
    try {
      const path = rawPathOf(request.raw.url ?? '/');
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const isPage = !/^\/(?:api|static)(?:\/|$)/i.test(path);
      if (!isRead) throw new AppError('not_found');
      if (path === '/files') {
        return await setApiHeaders(reply).redirect(`${baseUrl}/files/`, 302);
      }
      const assetPath = assetPathOf(path);
      const asset =
        assetPath === null ? null : await build.asset(assetPath, request.headers['accept-encoding'] ?? '');
      if (asset !== null && assetPath !== null) return await sendAsset(request, reply, assetPath, asset);
      if (!isPage) throw new AppError('not_found');
      return await sendPage(reply);
    } catch (error) {
      return answerWithError(error, request, reply);
    }
  });
}
