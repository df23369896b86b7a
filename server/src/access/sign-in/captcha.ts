import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Recaptcha } from '../../config/auth-method.ts';
import { captchaService } from '../../config/captcha-service.ts';

/** Checks that a form is filled in by a human. */
export interface Captcha {
  /**
   * Verifies the response that the page got from the service, for the visitor who wants to be `username`.
   * Throws `captcha_failed`, and `sign_in_unavailable` if the service is unavailable or its response is invalid.
   */
  verify(response: string, username: string): Promise<void>;
  /**
   * Accepts a response that was used to sign up for one sign-in, because services confirm a response only
   * once.
   */
  keepForSignIn(response: string, username: string): void;
}

/** Timeout of the service, in milliseconds. */
const timeoutMs = 5_000;
/** Maximum size of the service's HTTP response, in bytes; usual ones are far below one kilobyte. */
const maxResponseBytes = 64 * 1024;
/** The time for which a response used to sign up is valid for signing in. */
const keepMs = 120_000;
const maxKept = 1_000;

/** Returns the body as text. Throws if it is larger than the limit. */
async function readLimited(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxResponseBytes) throw new Error('the response of the captcha service is too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/**
 * Returns whether the service confirms the captcha response. Throws if its HTTP response is invalid; nothing
 * else of it is kept.
 */
async function verifyByService(verifyUrl: string, secret: string, solution: string): Promise<boolean> {
  const response = await fetch(verifyUrl, {
    method: 'POST',
    body: new URLSearchParams({ secret, response: solution }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200)
    throw new Error(`the captcha service responded with status ${response.status}`);
  const result: unknown = JSON.parse(await readLimited(response));
  if (typeof result !== 'object' || result === null || !('success' in result)) {
    throw new Error('the response of the captcha service does not contain “success”');
  }
  return result.success === true;
}

const keyOf = (response: string, username: string): string =>
  createHash('sha256')
    .update(JSON.stringify([response, username]))
    .digest('base64url');

/**
 * Creates the check by a service (docs/reference/filebrowser-api.md §4); null disables it. `now` is in Unix
 * milliseconds.
 */
export function openCaptcha(
  recaptcha: Recaptcha | null,
  log: Pick<FastifyBaseLogger, 'error'>,
  now: () => number = Date.now,
): Captcha {
  if (recaptcha === null) {
    return { verify: () => Promise.resolve(), keepForSignIn: () => undefined };
  }
  const { verifyUrl } = captchaService(recaptcha.host);
  const validUntilByKey = new Map<string, number>();
  return {
    async verify(response, username) {
      if (response === '') throw new AppError('captcha_failed');
      const key = keyOf(response, username);
      const keptUntil = validUntilByKey.get(key);
      validUntilByKey.delete(key);
      if (keptUntil !== undefined && keptUntil > now()) return;
      let isSolved: boolean;
      try {
        isSolved = await verifyByService(verifyUrl, recaptcha.secret, response);
      } catch (error) {
        log.error({ err: error }, 'the captcha service returned an invalid response');
        throw new AppError('sign_in_unavailable', 'the captcha cannot be checked at the moment', {
          cause: error,
        });
      }
      if (!isSolved) throw new AppError('captcha_failed');
    },
    keepForSignIn(response, username) {
      const [oldest] = validUntilByKey.keys();
      if (validUntilByKey.size >= maxKept && oldest !== undefined) validUntilByKey.delete(oldest);
      validUntilByKey.set(keyOf(response, username), now() + keepMs);
    },
  };
}
