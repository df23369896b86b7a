import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { userAddresses } from '../file-addresses.ts';
import { cleanHtml, isOutsideLink } from './clean-html.ts';
import { resolveFile, documentLocation } from './document-location.ts';
import { renderMarkdown } from './render-markdown.ts';

const addressOf = (path: string): string => `/files${path}`;

function renderClean(markdown: string): HTMLElement {
  const box = document.createElement('div');
  box.append(
    cleanHtml(
      renderMarkdown(markdown),
      documentLocation(virtualPath('/Notes/plan.md'), addressOf, userAddresses),
    ),
  );
  return box;
}

test.each([
  ['a script', '<script>alert(1)</script>after'],
  ['an event handler', '<img src=x onerror=alert(1)><p onclick="alert(1)">text</p>'],
  ['an event handler after a slash', '<img/src=x/onerror=alert(1)>'],
  [
    'an SVG drawing',
    '<svg><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  ],
  ['MathML that hides markup', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>'],
  [
    'a frame',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="x"></object><embed src="x">',
  ],
  ['a form', '<form action="/api/logout" method="post"><input name=a><button>go</button></form>'],
  ['styles', '<style>body{display:none}</style><p style="position:fixed" class="x">text</p>'],
  [
    'a base, stylesheet or redirect of its own',
    '<base href="https://evil.example/"><link rel=stylesheet href=x><meta http-equiv=refresh content="0">',
  ],
  [
    'a media element',
    '<video autoplay src="https://evil.example/x"><source src=x></video><audio src=x></audio>',
  ],
])('makes %s in Markdown inert', (_, markdown) => {
  const box = renderClean(markdown);
  expect(
    box.querySelector(
      'script, style, iframe, object, embed, form, input, button, svg, math, base, link, meta, video, audio',
    ),
  ).toBeNull();
  for (const element of box.querySelectorAll('*')) {
    const names = element.getAttributeNames();
    expect(names.filter((name) => name.startsWith('on') || name === 'style' || name === 'class')).toEqual([]);
  }
});

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '[x](//evil.example)',
])('removes the address of the unsafe link %s', (markdown) => {
  expect(renderClean(markdown).querySelector('[href]')).toBeNull();
});

test('opens web links in a new tab, and keeps links to files and within the text in place', () => {
  const box = renderClean(
    '# A b!\n\n[out](https://example.org/a) [file](../Photos/boat%20one.png) [up](#a-b)',
  );
  const [web, file, up] = box.querySelectorAll('a');
  expect([web?.href, web?.target, web?.rel]).toEqual([
    'https://example.org/a',
    '_blank',
    'noopener noreferrer',
  ]);
  expect(file?.getAttribute('href')).toBe('/files/Photos/boat one.png');
  expect(up?.getAttribute('href')).toBe('#user-content-a-b');
  expect(box.querySelector('h2')?.id).toBe('user-content-a-b');
});

test('loads images only from neighboring files, and shows the description of foreign ones', () => {
  const box = renderClean(
    '![boat](boat.png) ![far](https://evil.example/x.png) ![dot](data:image/png;base64,AAAA) ![bad](data:text/html,x)',
  );
  const sources = [...box.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  expect(sources).toEqual(['/api/raw/Notes/boat.png?inline=true', 'data:image/png;base64,AAAA']);
  expect(box.textContent).toContain('far');
});

test('prefixes ids and names, so that they cannot shadow parts of the page', () => {
  const box = renderClean('<a id="config" name="body">x</a><img name="getElementById" src="a.png">');
  expect(box.querySelector('#config, [name="body"], [name="getElementById"]')).toBeNull();
});

test('keeps tasks, tables and code', () => {
  const box = renderClean('- [x] done\n\n| a |\n|---|\n| 1 |\n\n`onclick=1` <b>');
  expect(box.textContent).toContain('☑ done');
  expect(box.querySelector('td')?.textContent).toBe('1');
  expect(box.querySelector('code')?.textContent).toBe('onclick=1');
});

test.each([
  ['a.png', '/Notes/a.png'],
  ['./b/../a.png?x#y', '/Notes/a.png'],
  ['/top.png', '/top.png'],
  ['../../../etc/passwd', '/etc/passwd'],
  ['https://example.org', null],
  ['//example.org', null],
  ['', null],
  ['%E0%A4%A', null],
  ['%00', null],
])('resolves %s relative to a note as %s', (href, expected) => {
  expect(resolveFile(href, virtualPath('/Notes/plan.md'))).toBe(expected);
});

test('accepts only http, https, mailto and tel as outside links', () => {
  const all = [
    'https://a',
    'HTTP://a',
    'mailto:a@b',
    'tel:1',
    'file:///etc',
    'javascript:1',
    'blob:x',
    'ftp://a',
  ];
  expect(all.filter(isOutsideLink)).toEqual(['https://a', 'HTTP://a', 'mailto:a@b', 'tel:1']);
});
