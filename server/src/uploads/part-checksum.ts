import { createHash } from 'node:crypto';
import { tusChecksumAlgorithms } from '@filestead/contract/endpoints/resumable-uploads';
import { AppError } from '../errors.ts';

/** The checksum that a client announced for one part, and the computation to compare it with. */
export class PartChecksum {
  readonly #hash;
  readonly #expected: Buffer;

  private constructor(algorithm: string, expected: Buffer) {
    this.#hash = createHash(algorithm);
    this.#expected = expected;
  }

  /**
   * Reads `Upload-Checksum`: the algorithm and, after a space, the sum in Base64 (tus 1.0, Checksum). Returns null without a header.
   * Throws `bad_request`, for unknown algorithms too.
   */
  static parse(header: string | undefined): PartChecksum | null {
    if (header === undefined) return null;
    const [name = '', sum = '', ...more] = header.trim().split(' ');
    const algorithm = tusChecksumAlgorithms.find((known) => known === name.toLowerCase());
    if (algorithm === undefined) {
      throw new AppError('bad_request', `Upload-Checksum: supported are ${tusChecksumAlgorithms.join(', ')}`);
    }
    const expected = Buffer.from(sum, 'base64');
    const isWhole = expected.length === createHash(algorithm).digest().length;
    if (more.length > 0 || !isWhole || expected.toString('base64') !== sum) {
      throw new AppError('bad_request', `Upload-Checksum: expected a ${algorithm} sum in Base64`);
    }
    return new PartChecksum(algorithm, expected);
  }

  /** Adds the next bytes of the part. */
  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** Compares the sums. Must be called once, after the last byte. Throws `checksum_mismatch`. */
  verify(): void {
    if (!this.#hash.digest().equals(this.#expected)) {
      throw new AppError('checksum_mismatch', 'the received bytes do not match the checksum');
    }
  }
}
