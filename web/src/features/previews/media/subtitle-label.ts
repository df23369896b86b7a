import { extensionOf, nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A selectable subtitle file. */
export interface SubtitleChoice {
  readonly path: VirtualPath;
  readonly label: string;
  /** The language code in the file name; empty when it has none. */
  readonly language: string;
}

const stemOf = (name: string): string => name.slice(0, name.length - extensionOf(name).length);

/**
 * Labels the subtitles of a video. The label is the language at the end of the name (`film.pt-BR.srt`) in the user's
 * language, else the part of the name after that of the video, else the whole name.
 */
export function subtitleChoices(
  paths: readonly VirtualPath[],
  videoName: string,
  languageTag: string,
): readonly SubtitleChoice[] {
  const names = new Intl.DisplayNames(languageTag, { type: 'language', fallback: 'none' });
  const video = stemOf(videoName);
  const choices = paths.map((path) => {
    const name = nameOf(path);
    const stem = stemOf(name);
    const suffix = stem.startsWith(video) ? stem.slice(video.length).replace(/^[\s._-]+/u, '') : stem;
    const [code = ''] = /[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/iu.exec(suffix) ?? [];
    const isCode =
      code !== '' && (suffix.length === code.length || /[\s._-]/u.test(suffix.at(-code.length - 1) ?? ''));
    const language = isCode ? languageName(names, code) : undefined;
    return { path, label: language ?? (suffix || name), language: language === undefined ? '' : code };
  });
  // Files with the same label are labeled with their whole names.
  return choices.map((choice) => {
    const isUnique = choices.filter(({ label }) => label === choice.label).length === 1;
    const { path, language } = choice;
    return isUnique ? choice : { path, language, label: nameOf(path) };
  });
}

function languageName(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code);
  } catch {
    return undefined;
  }
}
