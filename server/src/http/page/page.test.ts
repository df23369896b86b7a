import { createHash } from 'node:crypto';
import type { PageConfig } from '@filestead/contract/page-config';
import { expect, test } from 'vitest';
import { renderPage } from './page.ts';

const config: PageConfig = {
  AuthMethod: 'json',
  BaseURL: '/fb',
  CSS: false,
  Color: '',
  DisableExternal: false,
  DisableUsedPercentage: false,
  EnableCatalogue: true,
  EnableContents: false,
  EnableExec: false,
  EnableThumbs: true,
  EnableTrash: true,
  HideLoginButton: false,
  LoginPage: true,
  LogoutPage: '/login',
  Name: '',
  NoAuth: false,
  ReCaptcha: false,
  ReportURL: '',
  ResizePreview: true,
  ShareDefaults: { duration: 0, unit: 'hours' },
  Signup: false,
  StaticURL: '/fb/static',
  Theme: '',
  TrashDays: 30,
  TusSettings: { chunkSize: 1, retryCount: 0 },
  Version: '1.2.3',
};
const built =
  '<!doctype html><html><head><title>Filestead</title><script>go()</script><link href="./a.css"></head>' +
  '<body><script type="module" src="./b.js"></script></body></html>';

test("links use the base URL, and exactly the page's own inline scripts may run", () => {
  const { html, contentSecurityPolicy } = renderPage(built, config);
  expect(html).toContain('href="/fb/a.css"');
  expect(html).toContain('src="/fb/b.js"');
  const hashes = [/<script>(window\.FileBrowser=.*?)<\/script>/.exec(html)?.[1] ?? '', 'go()'].map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  expect(contentSecurityPolicy).toContain(`script-src 'self' ${hashes.join(' ')};`);
  expect(contentSecurityPolicy).not.toMatch(/script-src[^;]*unsafe/);
});

test('texts of an administrator cannot end an element or run', () => {
  const name = '</script><script>alert(1)</script><!-- $& \u2028';
  const { html, contentSecurityPolicy } = renderPage(built, { ...config, Name: name });
  expect(html.match(/<script/g)).toHaveLength(4);
  expect(html).toContain('<title>&lt;/script&gt;');
  expect(contentSecurityPolicy.match(/sha256/g)).toHaveLength(2);
  const json = /id="config">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect((JSON.parse(json) as PageConfig).Name).toBe(name);
});

test('color and stylesheet of the administrator are in the page and cannot end an attribute', () => {
  const page = built.replace('<head>', '<head><meta name="theme-color" media="(x)" content="#fff" />');
  const plain = renderPage(page, config).html;
  expect(plain).toContain('content="#fff"');
  expect(plain).not.toContain('custom.css');
  const { html } = renderPage(page, { ...config, Color: '"><script>$&', CSS: true });
  expect(html).toContain('media="(x)" content="&quot;&gt;&lt;script&gt;$&amp;" />');
  expect(html).toContain('<link rel="stylesheet" href="/fb/static/custom.css"></body>');
});
