import { extensionOf, nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A subtitle file as a viewer chooses it. */
export interface SubtitleChoice {
  readonly path: VirtualPath;
  readonly label: string;
  /** The language its name tells; empty when it tells none. */
  readonly language: string;
}

const stemOf = (name: string): string => name.slice(0, name.length - extensionOf(name).length);

/**
 * What tells the subtitles of a video apart: the language that the name ends with (`film.pt-BR.srt`), written in the
 * reader's language, else what the name has beyond that of the video, else the whole name.
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
    const own = stem.startsWith(video) ? stem.slice(video.length).replace(/^[\s._-]+/u, '') : stem;
    const [code = ''] = /[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/iu.exec(own) ?? [];
    const isCode =
      code !== '' && (own.length === code.length || /[\s._-]/u.test(own.at(-code.length - 1) ?? ''));
    const language = isCode ? nameOfLanguage(names, code) : undefined;
    return { path, label: language ?? (own || name), language: language === undefined ? '' : code };
  });
  // Two of the same label are told apart by their whole names.
  return choices.map((choice) => {
    const isAlone = choices.filter(({ label }) => label === choice.label).length === 1;
    const { path, language } = choice;
    return isAlone ? choice : { path, language, label: nameOf(path) };
  });
}

function nameOfLanguage(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code);
  } catch {
    return undefined;
  }
}
