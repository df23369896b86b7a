import type { UserChange } from '@filestead/contract/users';

/** Stores fields of the user's own record; the second argument confirms a new password. Throws `ApiError`. */
export type SaveProfile = (change: UserChange, currentPassword?: string) => Promise<void>;
