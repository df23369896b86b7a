/** The global object of a captcha service: the interface of reCAPTCHA, which other services implement too. */
export interface CaptchaService {
  render: (
    place: HTMLElement,
    options: {
      sitekey: string;
      theme: 'light' | 'dark';
      size: 'normal' | 'compact';
      callback: (response: string) => void;
      'expired-callback': () => void;
      'error-callback': () => void;
    },
  ) => number | string;
  reset: (widget: number | string) => void;
}

const isService = (value: unknown): value is CaptchaService =>
  typeof value === 'object' && value !== null && 'render' in value && typeof value.render === 'function';

const readyTimeoutMs = 10_000;
const pollIntervalMs = 50;

let loading: Promise<CaptchaService> | null = null;

async function load(script: string): Promise<CaptchaService> {
  const element = document.createElement('script');
  element.src = script;
  element.async = true;
  await new Promise<void>((resolve, reject) => {
    element.addEventListener('load', () => resolve());
    element.addEventListener('error', () => {
      element.remove();
      reject(new Error('the captcha script cannot be loaded'));
    });
    document.head.append(element);
  });
  // The script may load further scripts before the object is ready.
  for (let waitedMs = 0; waitedMs < readyTimeoutMs; waitedMs += pollIntervalMs) {
    const service: unknown = Reflect.get(globalThis, 'grecaptcha');
    if (isService(service)) return service;
    await new Promise((resolve) => {
      setTimeout(resolve, pollIntervalMs);
    });
  }
  throw new Error('the captcha script did not start');
}

/** Fetches the script of the captcha service once. After a failure the next call tries again. */
export function loadCaptcha(script: string): Promise<CaptchaService> {
  loading ??= load(script).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}
