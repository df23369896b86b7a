/** Where a captcha service is asked and where its page part comes from. */
export interface CaptchaService {
  /** Takes `secret` and `response` as a form. */
  readonly verifyUrl: string;
  /** The script that makes `grecaptcha` for the page. */
  readonly scriptUrl: string;
  /** Origins that script, frames and requests of the page part come from. */
  readonly origins: readonly string[];
}

/** Services whose paths differ from reCAPTCHA's; they speak the same form and offer the same script interface. */
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

/** Plain HTTP is for a service on this machine only: the secret travels with every question. */
const isLocal = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Throws an error that says what is wrong with the address of a captcha service. */
export function checkCaptchaHost(host: string): string {
  const url = URL.canParse(host) ? new URL(host) : null;
  const isPlain =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)))) {
    throw new Error('expected an address such as https://www.google.com');
  }
  return host.replace(/\/+$/, '');
}

/** The service at `host`, such as `https://www.google.com` (docs/reference/filebrowser-api.md §4), hCaptcha or Turnstile. */
export function captchaService(host: string): CaptchaService {
  const { hostname, origin } = new URL(host);
  const name = hostname.endsWith('.hcaptcha.com') ? 'hcaptcha.com' : hostname;
  const known = Object.hasOwn(knownServices, name) ? knownServices[name] : undefined;
  if (known !== undefined) return known;
  const base = host.replace(/\/+$/, '');
  return {
    verifyUrl: `${base}/recaptcha/api/siteverify`,
    scriptUrl: `${base}/recaptcha/api.js?render=explicit`,
    // reCAPTCHA loads the rest of its script from here.
    origins: [origin, 'https://www.gstatic.com'],
  };
}
