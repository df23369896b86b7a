/** Returns the key of local storage under which the unfinished uploads of a user are stored. */
export const storedUploadsKey = (userId: number): string => `filestead.uploads.${userId}`;

/** Whether this browser has stored unfinished uploads of a user. */
export function hasStoredUploads(userId: number): boolean {
  try {
    return localStorage.getItem(storedUploadsKey(userId)) !== null;
  } catch {
    return false;
  }
}
