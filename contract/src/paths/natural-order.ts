/**
 * The order of names in the whole product: letters are compared without regard to case, runs of digits by value.
 * `photo2` comes before `photo10` and beside `Photo2`. Names that are otherwise equal (`a1`, `A1`, `a01`) are ordered
 * by code units, so that two different names never compare as equal. Runs of digits may have any length.
 */

const zero = 0x30;
const nine = 0x39;
const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** Returns the end (exclusive) of the run of digits that begins at `start`. */
function endOfDigits(text: string, start: number): number {
  let end = start;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Returns the index after the leading zeros of the run of digits from `start` to `end`. */
function skipZeros(text: string, start: number, end: number): number {
  let first = start;
  while (first < end && text.charCodeAt(first) === zero) first++;
  return first;
}

const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares two names: negative if `a` comes before `b`, positive if after, 0 only for equal names. */
export function compareNames(a: string, b: string): number {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const x = left.charCodeAt(i);
    const y = right.charCodeAt(j);
    if (isDigit(x) && isDigit(y)) {
      const leftEnd = endOfDigits(left, i);
      const rightEnd = endOfDigits(right, j);
      const leftDigits = left.slice(skipZeros(left, i, leftEnd), leftEnd);
      const rightDigits = right.slice(skipZeros(right, j, rightEnd), rightEnd);
      const order = leftDigits.length - rightDigits.length || compareCodeUnits(leftDigits, rightDigits);
      if (order !== 0) return order;
      i = leftEnd;
      j = rightEnd;
    } else if (x !== y) {
      return x - y;
    } else {
      i++;
      j++;
    }
  }
  return left.length - i - (right.length - j) || compareCodeUnits(a, b);
}

/**
 * The sort keys of many names, packed into words of four bytes: comparing two keys word by word orders the names. A key
 * contains no zero byte; its last word is padded with at least one.
 */
interface Keys {
  readonly words: Uint32Array;
  /** `words[starts[id]]` is the first word of the key of name `id`. */
  readonly starts: Uint32Array;
}

/** Packs bytes into words; grows as needed. */
class WordWriter {
  words: Uint32Array;
  length = 0;
  #word = 0;
  #bytes = 0;

  constructor(words: number) {
    this.words = new Uint32Array(words);
  }

  byte(value: number): void {
    this.#word = (this.#word << 8) | value;
    if (++this.#bytes === 4) this.#flush();
  }

  /** Pads the last word with zero bytes; writes at least one. */
  end(): void {
    do this.byte(0);
    while (this.#bytes !== 0);
  }

  #flush(): void {
    if (this.length === this.words.length) {
      const grown = new Uint32Array(this.words.length * 2);
      grown.set(this.words);
      this.words = grown;
    }
    this.words[this.length++] = this.#word;
    this.#word = 0;
    this.#bytes = 0;
  }
}

/**
 * Writes a run of digits: `0`, then the number of digits after the leading zeros, then the digits. Longer numbers
 * therefore sort later.
 */
function writeNumber(writer: WordWriter, text: string, start: number, end: number): void {
  const first = skipZeros(text, start, end);
  writer.byte(zero);
  // Three non-zero bytes are enough for more digits than a name can have.
  const length = end - first;
  writer.byte(1 + Math.min(length >> 14, 0x7f));
  writer.byte(0x80 | ((length >> 7) & 0x7f));
  writer.byte(0x80 | (length & 0x7f));
  for (let i = first; i < end; i++) writer.byte(text.charCodeAt(i));
}

/** Writes a code unit outside ASCII as three bytes that sort in code unit order and after all of ASCII. */
function writeUnit(writer: WordWriter, code: number): void {
  writer.byte(0x80 | (code >> 14));
  writer.byte(0x80 | ((code >> 7) & 0x7f));
  writer.byte(0x80 | (code & 0x7f));
}

const isPlainAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
};

function writeKey(writer: WordWriter, name: string): void {
  // Converting a string to lower case is slower than converting ASCII letters while writing.
  const text = isPlainAscii(name) ? name : name.toLowerCase();
  for (let i = 0; i < text.length;) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) {
      const end = endOfDigits(text, i);
      writeNumber(writer, text, i, end);
      i = end;
    } else {
      if (code > 0x7f) writeUnit(writer, code);
      else if (code >= 0x41 && code <= 0x5a) writer.byte(code | 0x20);
      else if (code < 2) {
        // Zero terminates a key, so the first two code units share a byte.
        writer.byte(1);
        writer.byte(code + 1);
      } else writer.byte(code);
      i++;
    }
  }
  writer.end();
}

function buildKeys(names: readonly string[]): Keys {
  const starts = new Uint32Array(names.length);
  const writer = new WordWriter(names.length * 8 + 16);
  for (let id = 0; id < names.length; id++) {
    starts[id] = writer.length;
    writeKey(writer, names[id] ?? '');
  }
  return { words: writer.words, starts };
}

/** Below this size an insertion sort is faster than another partition (measured). */
const insertionSortThreshold = 12;

/** Sorts ids by their keys, one word at a time (three-way radix quicksort). */
class KeySorter {
  readonly #names: readonly string[];
  readonly #words: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #ids: Uint32Array;
  /** The current word of each id's key. */
  readonly #currentWords: Uint32Array;

  constructor(names: readonly string[], keys: Keys, ids: Uint32Array) {
    this.#names = names;
    this.#words = keys.words;
    this.#starts = keys.starts;
    this.#ids = ids;
    this.#currentWords = new Uint32Array(ids.length);
  }

  sort(): void {
    // An explicit stack, so that long common prefixes do not exhaust the call stack.
    const pending: number[] = [0, this.#ids.length, 0];
    while (pending.length > 0) {
      const depth = pending.pop() ?? 0;
      const high = pending.pop() ?? 0;
      const low = pending.pop() ?? 0;
      this.#load(low, high, depth);
      this.#partition(low, high, depth, pending);
    }
  }

  #load(low: number, high: number, depth: number): void {
    for (let i = low; i < high; i++) {
      this.#currentWords[i] = this.#words[(this.#starts[this.#ids[i] ?? 0] ?? 0) + depth] ?? 0;
    }
  }

  #partition(from: number, to: number, depth: number, pending: number[]): void {
    const now = this.#currentWords;
    const ids = this.#ids;
    const open: number[] = [from, to];
    while (open.length > 0) {
      const high = open.pop() ?? 0;
      const low = open.pop() ?? 0;
      if (high - low < insertionSortThreshold) {
        this.#insert(low, high, depth);
        continue;
      }
      const pivot = this.#pivot(low, high);
      let less = low;
      let greater = high;
      let i = low;
      while (i < greater) {
        const word = now[i] ?? 0;
        if (word === pivot) {
          i++;
          continue;
        }
        const other = word < pivot ? less++ : --greater;
        const id = ids[i] ?? 0;
        now[i] = now[other] ?? 0;
        ids[i] = ids[other] ?? 0;
        now[other] = word;
        ids[other] = id;
        if (word < pivot) i++;
      }
      if (less - low > 1) open.push(low, less);
      if (high - greater > 1) open.push(greater, high);
      if (greater - less > 1) {
        if ((pivot & 0xff) === 0) this.#sortEqualKeys(less, greater);
        else pending.push(less, greater, depth + 1);
      }
    }
  }

  /** Returns the median of three random words, so that no choice of names makes the sort slow. */
  #pivot(low: number, high: number): number {
    const pick = (): number => this.#currentWords[low + Math.floor(Math.random() * (high - low))] ?? 0;
    const a = pick();
    const b = pick();
    const c = pick();
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  #insert(low: number, high: number, depth: number): void {
    const ids = this.#ids;
    const now = this.#currentWords;
    for (let i = low + 1; i < high; i++) {
      const id = ids[i] ?? 0;
      const word = now[i] ?? 0;
      let j = i - 1;
      while (j >= low && this.#comesBefore(id, word, ids[j] ?? 0, now[j] ?? 0, depth)) {
        ids[j + 1] = ids[j] ?? 0;
        now[j + 1] = now[j] ?? 0;
        j--;
      }
      ids[j + 1] = id;
      now[j + 1] = word;
    }
  }

  #comesBefore(a: number, aWord: number, b: number, bWord: number, depth: number): boolean {
    let left = aWord;
    let right = bWord;
    let i = (this.#starts[a] ?? 0) + depth;
    let j = (this.#starts[b] ?? 0) + depth;
    while (left === right && (left & 0xff) !== 0) {
      left = this.#words[++i] ?? 0;
      right = this.#words[++j] ?? 0;
    }
    return left === right ? (this.#names[a] ?? '') < (this.#names[b] ?? '') : left < right;
  }

  #sortEqualKeys(low: number, high: number): void {
    const name = (id: number): string => this.#names[id] ?? '';
    this.#ids.subarray(low, high).sort((a, b) => compareCodeUnits(name(a), name(b)));
  }
}

/**
 * Returns the order of `names` as indices: `names[result[0]]` comes first. Same order as {@link compareNames}, much
 * faster for many names (100,000 in a few dozen milliseconds).
 */
export function naturalOrder(names: readonly string[]): Uint32Array {
  const ids = new Uint32Array(names.length);
  for (let id = 0; id < ids.length; id++) ids[id] = id;
  if (ids.length > 1) new KeySorter(names, buildKeys(names), ids).sort();
  return ids;
}
