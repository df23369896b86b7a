/** A name such as `/Type`, without its slash. */
export class PdfName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A reference to an indirect object. Generations are ignored: the latest object with a number counts. */
export class PdfReference {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/** A stream: its dictionary, and its bytes before the filters are applied. */
export class PdfStream {
  readonly dictionary: PdfDictionary;
  readonly data: Uint8Array;

  constructor(dictionary: PdfDictionary, data: Uint8Array) {
    this.dictionary = dictionary;
    this.data = data;
  }
}

/** A word that is not a value, such as an operator of a content stream. */
export class PdfKeyword {
  readonly word: string;

  constructor(word: string) {
    this.word = word;
  }
}

export type PdfDictionary = ReadonlyMap<string, PdfValue>;

/** A value of a PDF file (ISO 32000-1 §7.3). Strings are bytes. */
export type PdfValue =
  | null
  | boolean
  | number
  | Uint8Array
  | PdfName
  | PdfReference
  | PdfStream
  | PdfDictionary
  | readonly PdfValue[];

/** The file is not a PDF, is damaged, or exceeds a limit. */
export class PdfError extends Error {
  override readonly name = 'PdfError';
}

export const isDictionary = (value: unknown): value is PdfDictionary => value instanceof Map;

/** Returns the text of a name; null for other values. */
export const nameText = (value: PdfValue | undefined): string | null =>
  value instanceof PdfName ? value.name : null;
