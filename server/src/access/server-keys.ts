import type { SettingsRepository } from '../database/database.ts';

/** Length of the key that signs session tokens, in bytes (docs/reference/filebrowser-api.md §1.2). */
const tokenKeyBytes = 64;
/** Length of the key that signs share tokens, in bytes: as long as the digest (RFC 2104 §3). */
const shareKeyBytes = 32;

/** The server's own keys, read once and kept in memory. */
export interface ServerKeys {
  /** Signs session tokens. */
  readonly token: () => Uint8Array;
  /** Signs the tokens of protected shares. */
  readonly shareToken: () => Uint8Array;
  /** Applies the stored keys after another process has changed them. */
  reload(): Promise<void>;
}

/** Reads the keys and generates the missing ones. */
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
