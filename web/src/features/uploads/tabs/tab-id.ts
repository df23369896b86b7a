/** Identifies this page among all open ones, in all browsers. The keys of its uploads begin with it. */
export const tabId = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 12)}`;

/** Returns the id of the page that has begun an upload with this key. */
export const tabOfKey = (key: string): string => key.split('-')[0] ?? '';

let nextKey = 1;

/** Returns a new key for an upload of this page. */
export const newUploadKey = (): string => `${tabId}-${nextKey++}`;

/** Returns the name of the channel on which the pages of a user report their uploads to each other. */
export const trayChannelName = (userId: number): string => `filestead.uploads.${userId}`;
