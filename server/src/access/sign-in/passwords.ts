import { shortPasswordDetail } from '@filestead/contract/values/password-length';
import { AppError } from '../../errors.ts';
import { Semaphore } from '../../scheduling/semaphore.ts';
import { compareBcrypt } from './compare-bcrypt.ts';

/**
 * The most common passwords of at least 8 characters, in lower case. Source: the lists of common passwords
 * published every year.
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

/**
 * Throws `weak_password` for a password that is too short or easy to guess. Length is counted in characters;
 * nothing is trimmed.
 */
export function assertValidPassword(password: string, username: string, minimumLength: number): void {
  if ([...password].length < minimumLength) {
    throw new AppError('weak_password', shortPasswordDetail(minimumLength));
  }
  const folded = password.toLowerCase();
  if (folded === username.toLowerCase() || commonPasswords.has(folded) || /^(.)\1*$/su.test(folded)) {
    throw new AppError('weak_password', 'the password is too easy to guess');
  }
}

/**
 * Limits concurrent hashing. One hash takes 19 MiB and tens of milliseconds on one of the four threads that
 * also read the disk; half of the threads remain for other work however many guesses arrive.
 */
const hashing = new Semaphore(2);

/**
 * Hashes with argon2id at the library's defaults, which follow OWASP: 19 MiB, 2 passes. Runs off the main
 * thread.
 */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hashing.run(() => hash(password));
}

/** Maximum bcrypt cost of imported hashes. A higher one would occupy a thread for seconds and is refused. */
const maxBcryptCost = 15;

/**
 * Whether a hash was imported from another product. It is replaced by an argon2id hash at the next sign-in.
 */
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
 * bcrypt uses only the first 72 bytes of a password. The hash is therefore replaced at the first sign-in, and
 * no new one is created with bcrypt.
 */
async function verifyBcrypt(passwordHash: string, password: string): Promise<boolean> {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z\d]{53}$/.exec(passwordHash) ?? [];
  if (cost === undefined || Number(cost) > maxBcryptCost) return false;
  return hashing.run(() => compareBcrypt({ password, hash: passwordHash }));
}

let dummyHash: Promise<string> | undefined;

/**
 * Whether `password` matches the hash. Without a hash the same work is done with a dummy, so that the
 * duration does not reveal which users exist. While a user still has an imported hash, `anyImported` is one
 * of these, and a bcrypt comparison runs for every user. A hash that cannot be parsed never matches.
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
