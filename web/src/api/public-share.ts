import type { Share } from '@filestead/contract/shares';
import { withBase } from './urls.ts';

/** Returns an address of this server with its origin, for use outside of the page. */
export const absoluteUrl = (address: string): string => new URL(address, window.location.origin).href;

/** Returns the address of a share that its owner gives to visitors. */
export const shareUrl = (hash: string): string => absoluteUrl(withBase(`/share/${encodeURIComponent(hash)}`));

/** Whether a share has expired. */
export const isExpired = ({ expire }: Pick<Share, 'expire'>, nowMs = Date.now()): boolean =>
  expire !== 0 && expire * 1000 <= nowMs;
