// Part of npm run check: checks conventions of CONTRIBUTING.md: names of files, sizes of folders, openings of comments, spelling,
// and titles of the latest commits.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, {
    cwd: top,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : null;
};

/** The maximum number of modules in one folder, without tests, styles and texts. */
const maxModules = 20;
/** The number of latest commits whose titles are checked. */
const checkedCommits = 20;
const maxTitleLength = 72;

const isCode = (file) =>
  /^(?:contract|server|web|e2e|bench|scripts|packaging)\/.*\.(?:tsx?|mjs|css)$/.test(file);
const fileName = /^(?:_?[a-z0-9]+(?:-[a-z0-9]+)*)(?:\.[a-z0-9]+)*$/;

/** Returns a finding for each file whose name is not in kebab case. */
export const misnamedFiles = (files) =>
  files
    .filter((file) => isCode(file) && !fileName.test(basename(file)))
    .map((file) => `${file}: file names are in kebab case`);

/** Returns a finding for each folder with more modules than {@link maxModules}. */
export function crowdedFolders(files) {
  const counts = new Map();
  for (const file of files) {
    if (!isCode(file) || /\.(?:test|spec)\.tsx?$|\.css$|\.d\.ts$|\/locales\//.test(file)) continue;
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > maxModules)
    .map(([folder, count]) => `${folder}: ${count} modules; split the folder (at most ${maxModules})`);
}

/** Returns a finding for each comment that begins with a relative clause instead of the name of the thing. */
export function vagueComments(file, text) {
  const found = [];
  const opening =
    /(?:^|\n)[^\S\n]*(?:\/\*\*?|\/\/|\{\/\*)\s*(?:\*\s*)?(?=(?:What|Whatever|Whoever|Whose|Whom)\b)/g;
  for (const { index, 0: start } of text.matchAll(opening)) {
    const end = index + start.length;
    const line = text.slice(0, end).split('\n').length;
    const [words] = text.slice(end).split('\n', 1);
    found.push(`${file}:${line}: name the thing first: ${words}`);
  }
  return found;
}

/** British forms of the words that the source uses, also as parts of names such as `colourOf`. */
const british = new RegExp(
  '(?:[bB]ehaviour|[cC]olour|[fF]avour|[fF]lavour|[hH]onour|[nN]eighbour|[lL]icence|[dD]efence|[cC]hequered|[jJ]udgement' +
    '|[aA]rtefact|[cC]entred|(?:\\b[cC]|(?<=[a-z])C)entre(?=s?(?:\\b|[A-Z]))|\\b[gG]rey|[lL]abelled\\b|[lL]abelling|[mM]odelled|[sS]ignalled' +
    '|(?:[aA]uthor|[cC]apital|[cC]ustom|[gG]eneral|[iI]nitial|[mM]inim|[nN]ormal|[oO]ptim|[oO]rgan|[rR]ecogn|[sS]anit|[sS]erial|[sS]ummar|[sS]ynchron)' +
    'is(?:e|es|ed|er|ing|ation|able)(?![a-z]))',
  'g',
);
/** Names that clients and links use, and names of other programs. */
const keptSpelling = /behaviour\\?\.md|(?:in:|')favourites|branding\.colour|toColourspace/g;
/** Texts of the interface in journeys, whose browser is British. */
const britishTexts = /'(?:Favourites?|Colours(?: of the page)?)'|\/\^Favourites/g;
/** Files whose subject is British spelling, places of the world, and texts of others. */
const isUnchecked = (file) =>
  /^web\/src\/i18n\/(?:british-spelling|locales\/)|\/(?:towns\.ts|conventions(?:\.test)?\.(?:ts|mjs))$|^packaging\/licenses\//.test(
    file,
  );

/** Returns a finding for each word in British spelling. */
export function britishSpelling(file, text) {
  if (isUnchecked(file)) return [];
  const kept = text.replaceAll(keptSpelling, '');
  const checked = file.startsWith('e2e/') ? kept.replaceAll(britishTexts, '') : kept;
  return checked
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(british)].map(([word]) => `${file}:${index + 1}: use American spelling: ${word}`),
    );
}

/** Returns a finding for each title that is not of the form `area: imperative summary`. */
export const malformedTitles = (titles) =>
  titles
    .filter((title) => title.length > maxTitleLength || !/^[a-z][a-z0-9, -]*: [^\s].*[^\s.]$/.test(title))
    .map(
      (title) => `commit “${title}”: use “area: imperative summary”, at most ${maxTitleLength} characters`,
    );

/** Returns all findings in the clone. In a copy without history, commits are not checked. */
export function findUnconventional() {
  const files = (git('ls-files', '--cached', '--others', '--exclude-standard') ?? []).filter((file) =>
    existsSync(join(top, file)),
  );
  const read = (file) => readFileSync(join(top, file), 'utf8');
  const comments = files.filter(isCode).flatMap((file) => vagueComments(file, read(file)));
  const words = files
    .filter((file) => isCode(file) || file.endsWith('.md'))
    .flatMap((file) => britishSpelling(file, read(file)));
  const titles = git('log', '--no-merges', `--max-count=${checkedCommits}`, '--format=%s') ?? [];
  return [
    ...misnamedFiles(files),
    ...crowdedFolders(files),
    ...comments,
    ...words,
    ...malformedTitles(titles),
  ];
}
