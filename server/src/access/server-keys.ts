import type { SettingsRepository } from '../database/database.ts';

/** Length of the key that tokens are signed with, in bytes (docs/reference/filebrowser-api.md §1.2). */
const tokenKeyBytes = 64;
/** Length of the key that the tokens of links are signed with, in bytes: as long as the digest (RFC 2104 §3). */
const shareKeyBytes = 32;

/** The server's own keys, read once and kept. */
export interface ServerKeys {
  /** Signs the tokens of sessions. */
  readonly token: () => Uint8Array;
  /** Signs the tokens of protected links. */
  readonly shareToken: () => Uint8Array;
  /** Puts in force what is stored now, after somebody else has changed it. */
  reload(): Promise<void>;
}

/** Reads the keys; those that there are none of yet are made. */
export async function openServerKeys(repository: SettingsRepository): Promise<ServerKeys> {
  const read = async (): Promise<{ token: Uint8Array; shareToken: Uint8Array }> => ({
    token: await repository.secret('token', tokenKeyBytes),
    shareToken: await repository.secret('share-token', shareKeyBytes),
  });
  let current = await read();
  return {
    token: () => current.token,
    shareToken: () => current.shareToken,
    async reload() {
      current = await read();
    },
  };
}
