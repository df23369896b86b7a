import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';

/** File names of languages that CodeMirror's list does not recognize. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/^nginx.*\.conf$/iu, 'Nginx'],
  [
    /^\.(?:bash|zsh|profile|bash_.*|zshrc|bashrc|kshrc|env\..*|envrc)|^(?:PKGBUILD|APKBUILD)$|\.zsh$/iu,
    'Shell',
  ],
  [
    /^\.env$|\.(?:conf|cfg|desktop|service|timer|socket|editorconfig)$|^\.(?:editorconfig|gitconfig|npmrc)$/iu,
    'Properties files',
  ],
  [/^\.(?:prettierrc|eslintrc|babelrc|swcrc)$|\.(?:jsonc|json5|webmanifest|geojson|har)$/iu, 'JSON'],
  [/^(?:Containerfile|Dockerfile\..*)$|\.dockerfile$/iu, 'Dockerfile'],
  [/^(?:Vagrantfile|Rakefile|Guardfile|Podfile|Brewfile)$/u, 'Ruby'],
  [/^(?:Pipfile|Cargo\.lock|poetry\.lock)$/u, 'TOML'],
  [/\.(?:xsl|xslt|svg|plist|rss|atom|gpx|kml|opml|xhtml|csproj|resx|wsdl)$/iu, 'XML'],
  [/\.(?:mdx|mkd|mdown)$|^(?:README|CHANGELOG|CONTRIBUTING)$/u, 'Markdown'],
];

/** Interpreters in a first line such as `#!/usr/bin/env python3`, without their version. */
const byInterpreter: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash'].map((shell) => [shell, 'Shell'])),
  python: 'Python',
  node: 'JavaScript',
  deno: 'TypeScript',
  bun: 'TypeScript',
  ruby: 'Ruby',
  perl: 'Perl',
  lua: 'Lua',
  php: 'PHP',
  tclsh: 'Tcl',
  groovy: 'Groovy',
};

const findLanguage = (name: string): LanguageDescription | null =>
  languages.find((language) => language.name === name) ?? null;

/** Returns the program in the first line of a script, without its folder. */
function interpreterOf(firstLine: string): string | null {
  const [, program = '', argument = ''] =
    /^#!\s*(?:\S*\/)?(\S+)(?:\s+(?:-S\s+)?(\S+))?/u.exec(firstLine) ?? [];
  if (program === '') return null;
  return program === 'env' ? argument : program;
}

/** Whether files in the language are mostly prose. */
export const isProse = ({ name }: Pick<LanguageDescription, 'name'>): boolean =>
  ['Markdown', 'LaTeX', 'Textile', 'Mbox'].includes(name);

/** Detects the language of a file by its name, else by its first line; null for plain text. */
export function detectLanguage(name: string, firstLine: string): LanguageDescription | null {
  const [, byPattern] = byName.find(([pattern]) => pattern.test(name)) ?? [];
  if (byPattern !== undefined) return findLanguage(byPattern);
  const description = LanguageDescription.matchFilename(languages, name);
  if (description) return description;
  const interpreter = interpreterOf(firstLine);
  if (interpreter === null) return /^<\?xml\b/u.test(firstLine) ? findLanguage('XML') : null;
  const program = interpreter.replace(/[\d.]+$/u, '');
  return Object.hasOwn(byInterpreter, program) ? findLanguage(byInterpreter[program] ?? '') : null;
}
