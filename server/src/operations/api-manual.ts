import { createHash } from 'node:crypto';
import type { EndpointSpec } from '@filestead/contract/endpoint';
import { type ErrorCode, errorStatus } from '@filestead/contract/errors';
import { escapeHtml } from '../http/page/page.ts';
import { type Operation, accessText, documentedPath, openApiDocument } from './openapi-document.ts';

const style = `
:root { color-scheme: light dark; --ground: #fbfaf8; --card: #fff; --text: #23211e; --quiet: #6b655d; --line: #e5e0d8; --accent: #2f6f5e; --code: #f3f0ea; }
@media (prefers-color-scheme: dark) { :root { --ground: #171614; --card: #201f1c; --text: #ece8e1; --quiet: #a39c91; --line: #36332e; --accent: #7fc4ae; --code: #2a2824; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
main { max-inline-size: 56rem; margin-inline: auto; padding: 3rem 1.25rem 6rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.02em; }
h2 { font-size: 1.15rem; margin: 2.75rem 0 .75rem; text-transform: capitalize; }
h3 { font-size: .8rem; margin: 1.25rem 0 .35rem; color: var(--quiet); font-weight: 600; letter-spacing: .03em; }
p { margin: .4rem 0; } a { color: var(--accent); } .quiet { color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; gap: .4rem .9rem; margin-block-start: 1rem; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-block: .5rem; }
summary { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; padding: .7rem 1rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 10px; }
details[open] > summary { border-block-end: 1px solid var(--line); }
.body { padding: .75rem 1rem 1.1rem; }
code, pre { font: .875em/1.55 ui-monospace, monospace; }
pre { background: var(--code); border-radius: 8px; padding: .8rem 1rem; overflow-x: auto; margin: .35rem 0; max-block-size: 26rem; }
.method { min-inline-size: 4.2rem; font: 600 .8rem/1 ui-monospace, monospace; color: var(--accent); }
table { border-collapse: collapse; inline-size: 100%; font-size: .92rem; }
th, td { text-align: start; vertical-align: top; padding: .35rem .75rem .35rem 0; border-block-end: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
`;

/** The style element without extra white space, because the content security policy contains its hash. */
const styleElement = `<style>${style}</style>`;

/** Joins a template of trusted HTML. */
const html = (parts: TemplateStringsArray, ...values: string[]): string =>
  parts.map((part, index) => `${part}${values[index] ?? ''}`).join('');

const code = (text: string): string => html`<code>${escapeHtml(text)}</code>`;

/** Converts a sentence of the contract to HTML; text in backticks becomes code. */
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const json = (value: unknown): string =>
  html`<pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`;

const contents = (content: Record<string, { schema?: unknown }>): string =>
  Object.entries(content)
    .map(
      ([type, { schema }]) =>
        html`<p>${code(type)}</p>
          ${schema === undefined ? '' : json(schema)}`,
    )
    .join('');

/** Renders a table of `columns` with a heading; nothing when there are no rows. The cells are HTML. */
function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return html`<h3>${title}</h3>
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`).join('')}
        </tr>
      </thead>
      <tbody>
        ${rows
          .map(
            (cells) =>
              html`<tr>
                ${cells.map((cell) => html`<td>${cell}</td>`).join('')}
              </tr>`,
          )
          .join('')}
      </tbody>
    </table>`;
}

const parameterTable = ({ parameters }: Operation): string =>
  table(
    'Parameters',
    ['Name', 'In', 'Required', 'Schema'],
    parameters.map((parameter) => [
      code(parameter.name),
      escapeHtml(parameter.in),
      parameter.required ? 'yes' : 'no',
      code(JSON.stringify(parameter.schema)),
    ]),
  );

const errorTable = (codes: readonly ErrorCode[]): string =>
  table(
    'Errors',
    ['Status', 'Code'],
    codes.map((errorCode) => [String(errorStatus[errorCode]), code(errorCode)]),
  );

function section(endpoint: EndpointSpec, operation: Operation): string {
  const description = endpoint.description === undefined ? '' : html`<p>${prose(endpoint.description)}</p>`;
  const body =
    operation.requestBody === undefined
      ? ''
      : html`<h3>Body</h3>
          ${contents(operation.requestBody.content)}`;
  const responses = Object.keys(endpoint.responses)
    .map((status) => {
      const response = operation.responses[status];
      if (response === undefined) return '';
      return html`<h3>${status}: ${prose(response.description)}</h3>
        ${contents(response.content ?? {})}`;
    })
    .join('');
  return html`<details id="${endpoint.id}">
    <summary>
      <span class="method">${endpoint.method}</span>${code(endpoint.path)}<span class="quiet"
        >${prose(endpoint.summary)}</span
      >
    </summary>
    <div class="body">
      ${description}
      <p class="quiet">${escapeHtml(accessText(endpoint))}</p>
      ${parameterTable(operation)}${body}${responses}${errorTable(endpoint.errors)}
    </div>
  </details>`;
}

/** The content security policy of the manual: allows only its own style sheet. */
export const manualPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Renders the manual of the API as one page without scripts from the OpenAPI document. */
export function apiManual(
  endpoints: readonly EndpointSpec[],
  info: { version: string; baseUrl: string },
): string {
  const { paths } = openApiDocument(endpoints, info);
  const features = [...new Set(endpoints.map(({ feature }) => feature))];
  const sections = features.map((feature) => {
    const blocks = endpoints
      .filter((endpoint) => endpoint.feature === feature)
      .map((endpoint) => {
        const operation = paths[documentedPath(endpoint)]?.[endpoint.method.toLowerCase()];
        return operation === undefined ? '' : section(endpoint, operation);
      });
    return html`<section aria-labelledby="feature-${feature}">
      <h2 id="feature-${feature}">${escapeHtml(feature)}</h2>
      ${blocks.join('')}
    </section>`;
  });
  const links = features.map((feature) => html`<a href="#feature-${feature}">${escapeHtml(feature)}</a>`);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Filestead API</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>Filestead API</h1>
          <p class="quiet">
            Version ${escapeHtml(info.version)}. Sign in with <code>POST /api/login</code> and send the
            response as the header <code>X-Auth</code>. Errors are a line of text, or problem details (RFC
            9457) when <code>Accept</code> names JSON.
          </p>
          <p>
            <a href="${escapeHtml(info.baseUrl)}/api/openapi.json"
              >This description as an OpenAPI 3.1 document</a
            >
          </p>
          <nav aria-label="Features">${links.join('')}</nav>
          ${sections.join('')}
        </main>
      </body>
    </html>`;
}
