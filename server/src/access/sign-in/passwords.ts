import { AppError } from '../../errors.ts';
import { Semaphore } from '../../scheduling/semaphore.ts';
import { compareBcrypt } from './compare-bcrypt.ts';

/**
 * Of the passwords that people choose most, those that a minimum length of 8 lets through. Compared in lower case.
 * Source: the lists of common passwords published every year.
 */
const commonPasswords = new Set(
  (
    'password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 ' +
    '0123456789 87654321 987654321 11111111 00000000 88888888 66666666 12341234 123123123 112233445566 qwertyui ' +
    'qwertyuiop qwerty123 qwerty1234 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsxedc zaq12wsx asdfghjk asdfghjkl zxcvbnm1 ' +
    'iloveyou sunshine princess football baseball superman michelle jennifer trustno1 starwars whatever computer ' +
    'internet changeme welcome1 welcome123 letmein1 letmein123 administrator admin123 admin1234 admin12345 ' +
    'filestead filebrowser abcd1234 abc12345 abcdefgh aaaaaaaa default1 secret123 test1234 testtest'
  ).split(' '),
);

/** Throws `weak_password`. Length is counted in characters; nothing is trimmed. */
export function assertValidPassword(password: string, username: string, minimumLength: number): void {
  if ([...password].length < minimumLength) {
    throw new AppError('weak_password', `the password is too short, minimum length is ${minimumLength}`);
  }
  const folded = password.toLowerCase();
  if (folded === username.toLowerCase() || commonPasswords.has(folded) || /^(.)\1*$/su.test(folded)) {
    throw new AppError('weak_password', 'the password is too easy to guess');
  }
}

/**
 * Hashing takes a thread of the four that also read the disk for tens of milliseconds, and 19 MiB: a flood of guesses, from
 * however many addresses, leaves half of the threads to everybody else.
 */
const hashing = new Semaphore(2);

/** Hashes with argon2id at the library's defaults, which are OWASP's: 19 MiB, 2 passes. Off the main thread. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hashing.run(() => hash(password));
}

/** Imported users have bcrypt hashes; a cost beyond this would keep a thread busy for seconds and is refused. */
const maxBcryptCost = 15;

/** Whether a hash comes from another product and is to be replaced by one of ours when its user signs in. */
export const isImportedHash = (passwordHash: string): boolean => /^\$2[abxy]\$/.test(passwordHash);

async function verifyArgon2(passwordHash: string, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  try {
    return await hashing.run(() => verify(passwordHash, password));
  } catch {
    return false;
  }
}

/**
 * bcrypt reads the first 72 bytes of a password only, here as where the hash was made. That is why the hash is replaced at
 * the first sign-in, and why no new one is made with it.
 */
async function verifyBcrypt(passwordHash: string, password: string): Promise<boolean> {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z\d]{53}$/.exec(passwordHash) ?? [];
  if (cost === undefined || Number(cost) > maxBcryptCost) return false;
  return hashing.run(() => compareBcrypt({ password, hash: passwordHash }));
}

let dummyHash: Promise<string> | undefined;

/**
 * Whether `password` is the one that was hashed. Without a hash the same work is done for nothing, so that the time
 * says nothing about which users exist; while some user still has an imported hash, `anyImported` names one, and its kind
 * of work is done for everybody. A hash that cannot be read matches nothing.
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  anyImported: string | null = null,
): Promise<boolean> {
  dummyHash ??= hashPassword('no user has this one');
  const isImported = passwordHash !== null && isImportedHash(passwordHash);
  const bcryptHash = isImported ? passwordHash : anyImported;
  const [isArgon2Right, isBcryptRight] = await Promise.all([
    verifyArgon2(passwordHash === null || isImported ? await dummyHash : passwordHash, password),
    bcryptHash === null ? false : verifyBcrypt(bcryptHash, password),
  ]);
  return passwordHash !== null && (isImported ? isBcryptRight : isArgon2Right);
}
