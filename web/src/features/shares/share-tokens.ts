import { storedText, storeText } from '../../ui/browser-storage.ts';

/** The session storage key of the token of a protected share; the password itself is never stored. */
const storageKey = (hash: string): string => `filestead.share.${hash}`;

/** The tokens if storage is forbidden; they are lost with the page. */
const tokensInMemory = new Map<string, string>();

/** Returns the stored token of a share in this tab. */
export const storedShareToken = (hash: string): string | undefined =>
  storedText(storageKey(hash), 'tab') ?? tokensInMemory.get(hash);

/** Stores the token of a share, or removes it. */
export function storeShareToken(hash: string, token: string | undefined): void {
  if (token === undefined) tokensInMemory.delete(hash);
  else tokensInMemory.set(hash, token);
  storeText(storageKey(hash), token ?? null, 'tab');
}
