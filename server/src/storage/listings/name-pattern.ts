import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { mediaTypeOfExtension } from '../../media-types/media-type.ts';

/** The conditions of a search on the names of entries; plain data, so that it can be sent to another thread. */
export interface NamePattern {
  /** At least one of them is in the name; any name fits when there are none. */
  readonly terms: readonly string[];
  readonly isCaseSensitive: boolean;
  /** At least one of `media` and `extensions` fits; any name fits when both are empty. */
  readonly media: readonly ('audio' | 'image' | 'video')[];
  /** Without the dot; compared with case. */
  readonly extensions: readonly string[];
}

/** Beyond ASCII one character may be written in several ways. */
const beyondAscii = /\P{ASCII}/u;
const composed = (text: string): string => (beyondAscii.test(text) ? text.normalize('NFC') : text);

/** So many extensions are remembered. */
const maxKnownExtensions = 4096;

/** Prepares the question whether a name fits. */
export function createNameTest({
  terms,
  isCaseSensitive,
  media,
  extensions,
}: NamePattern): (name: string) => boolean {
  const comparable = (text: string): string => composed(isCaseSensitive ? text : text.toLowerCase());
  const wanted = terms.map(comparable);
  const [onlyTerm] = wanted;
  const fitsTerms: (name: string) => boolean =
    onlyTerm === undefined
      ? () => true
      : wanted.length === 1
        ? (name) => comparable(name).includes(onlyTerm)
        : (name) => {
            const text = comparable(name);
            return wanted.some((term) => text.includes(term));
          };
  if (media.length === 0 && extensions.length === 0) return fitsTerms;

  const known = new Map<string, boolean>();
  const fitsType = (extension: string): boolean => {
    let fits = known.get(extension);
    if (fits === undefined) {
      const mediaType = mediaTypeOfExtension(extension) ?? '';
      fits =
        extensions.some((wantedExtension) => extension === `.${wantedExtension}`) ||
        media.some((kind) => mediaType.startsWith(`${kind}/`));
      if (known.size >= maxKnownExtensions) known.clear();
      known.set(extension, fits);
    }
    return fits;
  };
  return (name) => fitsType(extensionOf(name)) && fitsTerms(name);
}
