import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../../test/start-app.ts';
import { captchaService, checkCaptchaHost } from '../../config/captcha-service.ts';

const secret = 'the-secret-of-the-captcha';
let app: TestApp;
let verify: (form: URLSearchParams, request: IncomingMessage, response: ServerResponse) => void;
let received: { url: string; type: string; form: URLSearchParams }[];
const service = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    const form = new URLSearchParams(body);
    received.push({ url: request.url ?? '', type: request.headers['content-type'] ?? '', form });
    verify(form, request, response);
  });
});

beforeEach(async () => {
  received = [];
  verify = (form, _request, response) => {
    response.end(JSON.stringify({ success: form.get('response') === 'solved' }));
  };
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  app = await startApp({
    users: [{ username: 'alice' }],
    web: { 'index.html': '<html><head><title>x</title></head><body></body></html>' },
    config: {
      'recaptcha.host': `http://127.0.0.1:${port}`,
      'recaptcha.key': 'the-key',
      'recaptcha.secret': secret,
    },
  });
});
afterEach(async () => {
  await app.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

const login = (recaptcha?: string, username = 'alice', password = testPassword): Promise<Response> =>
  app.fetch('/api/login', { method: 'POST', json: { username, password, recaptcha } });
const refusedStatus = async (response: Response): Promise<number> => {
  expect(response.headers.get('set-cookie')).toBeNull();
  return response.status;
};
const openSignUp = async (): Promise<void> => {
  const token = await (await login('solved', 'admin')).text();
  const settings = (await (await app.fetch('/api/settings', { token })).json()) as object;
  expect(JSON.stringify(settings)).not.toContain(secret);
  const json = { ...settings, signup: true };
  expect((await app.fetch('/api/settings', { method: 'PUT', token, json })).status).toBe(200);
};
const signUp = (username: string, recaptcha?: string): Promise<Response> =>
  app.fetch('/api/signup', { method: 'POST', json: { username, password: testPassword, recaptcha } });

test('signing in requires a solved captcha and the right password', async () => {
  expect((await login('solved')).status).toBe(200);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ url: '/recaptcha/api/siteverify' });
  expect(received[0]?.type).toMatch(/^application\/x-www-form-urlencoded/);
  expect(Object.fromEntries(received[0]?.form ?? [])).toEqual({ secret, response: 'solved' });
  expect(await refusedStatus(await login('wrong'))).toBe(403);
  expect(await refusedStatus(await login('solved', 'alice', 'wrong'))).toBe(403);
  const before = received.length;
  expect(await refusedStatus(await login(''))).toBe(403);
  expect(await refusedStatus(await login())).toBe(403);
  expect(received).toHaveLength(before);
});

test.each([
  ['an error', (response: ServerResponse) => void response.writeHead(500).end('{"success":true}')],
  ['no JSON', (response: ServerResponse) => void response.end('success')],
  ['a list', (response: ServerResponse) => void response.end('[true]')],
  [
    'too much data',
    (response: ServerResponse) => void response.end(`{"success":true,"x":"${'x'.repeat(100_000)}"}`),
  ],
  ['nothing', (response: ServerResponse) => void response.destroy()],
  [
    'a redirect',
    (response: ServerResponse) =>
      void response.writeHead(307, { location: 'http://127.0.0.1:1/recaptcha/api/siteverify' }).end(),
  ],
])(
  'a captcha service that responds with %s makes sign-ins fail with 500, and nothing of its response is passed on',
  async (_name, respond) => {
    verify = (_form, _request, response) => respond(response);
    const response = await login('solved');
    expect(await refusedStatus(response)).toBe(500);
    expect(await response.text()).toBe('500 Internal Server Error\n');
    expect(app.log.some((line) => line.includes('captcha service returned an invalid response'))).toBe(true);
    expect(app.log.join('')).not.toContain(secret);
  },
);

test('a captcha is solved only if “success” is exactly true', async () => {
  verify = (_form, _request, response) => void response.end('{"success":"true"}');
  expect(await refusedStatus(await login('solved'))).toBe(403);
});

test('signing up requires a captcha, and its response is valid for one sign-in afterwards', async () => {
  await openSignUp();
  expect(await refusedStatus(await signUp('visitor'))).toBe(403);
  expect(await refusedStatus(await signUp('visitor', 'wrong'))).toBe(403);
  expect((await signUp('visitor', 'solved')).status).toBe(200);
  verify = (_form, _request, response) => void response.end('{"success":false}');
  expect(await refusedStatus(await login('solved', 'alice'))).toBe(403);
  expect((await login('solved', 'visitor')).status).toBe(200);
  expect(await refusedStatus(await login('solved', 'visitor'))).toBe(403);
});

test("the page contains the captcha's key and allows its origins, but not the secret", async () => {
  const page = await app.fetch('/login', { headers: { accept: 'text/html' } });
  const html = await page.text();
  const { port } = service.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  expect(html).toContain('"ReCaptcha":true');
  expect(html).toContain('"ReCaptchaKey":"the-key"');
  expect(html).toContain(`"ReCaptchaHost":"http://${host}"`);
  expect(html).not.toContain(secret);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(new RegExp(`script-src [^;]*http://${host}`));
  expect(policy).toMatch(new RegExp(`frame-src [^;]*http://${host}`));
});

test.each([
  'http://captcha.example',
  'file:///etc/passwd',
  'https://user:pass@captcha.example',
  'https://captcha.example/?a=b',
  'captcha.example',
  'http://169.254.169.254',
  '',
])('the address %j is not accepted as a captcha service', (host) => {
  expect(() => checkCaptchaHost(host)).toThrow('expected an address');
});

test.each([
  ['https://www.google.com', 'https://www.google.com/recaptcha/api/siteverify'],
  ['https://www.recaptcha.net', 'https://www.recaptcha.net/recaptcha/api/siteverify'],
  ['https://js.hcaptcha.com', 'https://api.hcaptcha.com/siteverify'],
  ['https://challenges.cloudflare.com', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
])('responses of the captcha service %s are verified at %s', (host, verifyUrl) => {
  expect(captchaService(checkCaptchaHost(host)).verifyUrl).toBe(verifyUrl);
});
