import { LimitedMap } from '../../limited-map.ts';
import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { mediaTypeOfExtension } from '../../media-types/media-type.ts';

/** The conditions of a search on the names of entries; plain data, so that it can be sent to another thread. */
export interface NamePattern {
  /** The name contains at least one of them; any name matches when there are none. */
  readonly terms: readonly string[];
  readonly isCaseSensitive: boolean;
  /** The name matches at least one of `media` and `extensions`; any name matches when both are empty. */
  readonly media: readonly ('audio' | 'image' | 'video')[];
  /** Without the dot; case-sensitive. */
  readonly extensions: readonly string[];
}

/** Characters beyond ASCII may have several Unicode spellings, so that names with them are normalized. */
const beyondAscii = /\P{ASCII}/u;
const composed = (text: string): string => (beyondAscii.test(text) ? text.normalize('NFC') : text);

/** The number of extensions whose result is cached. */
const maxKnownExtensions = 4096;

/** Creates a test whether a name matches the pattern. */
export function createNameTest({
  terms,
  isCaseSensitive,
  media,
  extensions,
}: NamePattern): (name: string) => boolean {
  const comparable = (text: string): string => composed(isCaseSensitive ? text : text.toLowerCase());
  const comparableTerms = terms.map(comparable);
  const [onlyTerm] = comparableTerms;
  const matchesTerms: (name: string) => boolean =
    onlyTerm === undefined
      ? () => true
      : comparableTerms.length === 1
        ? (name) => comparable(name).includes(onlyTerm)
        : (name) => {
            const text = comparable(name);
            return comparableTerms.some((term) => text.includes(term));
          };
  if (media.length === 0 && extensions.length === 0) return matchesTerms;

  const known = new LimitedMap<string, boolean>(maxKnownExtensions);
  const matchesType = (extension: string): boolean => {
    let isMatch = known.get(extension);
    if (isMatch === undefined) {
      const mediaType = mediaTypeOfExtension(extension) ?? '';
      isMatch =
        extensions.some((accepted) => extension === `.${accepted}`) ||
        media.some((kind) => mediaType.startsWith(`${kind}/`));
      known.set(extension, isMatch);
    }
    return isMatch;
  };
  return (name) => matchesType(extensionOf(name)) && matchesTerms(name);
}
