/** Addresses of a captcha service. */
export interface CaptchaService {
  /** Accepts `secret` and `response` as a form. */
  readonly verifyUrl: string;
  /** Script that defines `grecaptcha` on the page. */
  readonly scriptUrl: string;
  /** Origins of the scripts, frames and requests on the page. */
  readonly origins: readonly string[];
}

/** Services with other paths than reCAPTCHA but the same form and script interface. */
const knownServices: Readonly<Record<string, CaptchaService>> = {
  'hcaptcha.com': {
    verifyUrl: 'https://api.hcaptcha.com/siteverify',
    scriptUrl: 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=on',
    origins: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
  'challenges.cloudflare.com': {
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    scriptUrl: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&compat=recaptcha',
    origins: ['https://challenges.cloudflare.com'],
  },
};

/**
 * Whether a service runs on this machine. Only then plain HTTP is accepted, because the secret is sent with
 * each request.
 */
const isLocal = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Returns the normalized address of a captcha service. Throws an error with the reason if it is invalid. */
export function checkCaptchaHost(host: string): string {
  const url = URL.canParse(host) ? new URL(host) : null;
  const isPlain =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)))) {
    throw new Error('expected an address such as https://www.google.com');
  }
  return host.replace(/\/+$/, '');
}

/**
 * Returns the service at `host`, such as `https://www.google.com` (docs/reference/filebrowser-api.md §4),
 * hCaptcha or Turnstile.
 */
export function captchaService(host: string): CaptchaService {
  const { hostname, origin } = new URL(host);
  const name = hostname.endsWith('.hcaptcha.com') ? 'hcaptcha.com' : hostname;
  const known = Object.hasOwn(knownServices, name) ? knownServices[name] : undefined;
  if (known !== undefined) return known;
  const base = host.replace(/\/+$/, '');
  return {
    verifyUrl: `${base}/recaptcha/api/siteverify`,
    scriptUrl: `${base}/recaptcha/api.js?render=explicit`,
    // reCAPTCHA loads further scripts from here.
    origins: [origin, 'https://www.gstatic.com'],
  };
}
