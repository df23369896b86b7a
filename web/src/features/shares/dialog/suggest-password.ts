/** Consonants that are not confused with others when they are read out. */
const consonants = 'bdfghjkmnprstvwz';
const vowels = 'aeiou';

/** Returns a random whole number below `limit`, which is at most 256, without bias. */
function randomBelow(limit: number): number {
  const byte = new Uint8Array(1);
  const usable = 256 - (256 % limit);
  for (;;) {
    const [value = 0] = crypto.getRandomValues(byte);
    if (value < usable) return value % limit;
  }
}

const pick = (letters: string): string => letters[randomBelow(letters.length)] ?? '';
const word = (): string =>
  pick(consonants) + pick(vowels) + pick(consonants) + pick(vowels) + pick(consonants);

/**
 * Returns a password that can be read out on the phone, such as `kitur-bolan-82`. It has 40 bits; the server limits the
 * attempts per share.
 */
export const suggestPassword = (): string => `${word()}-${word()}-${10 + randomBelow(90)}`;
