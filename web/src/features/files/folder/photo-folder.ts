import type { Sorting, ViewMode } from '@filestead/contract/users';
import { useState, useSyncExternalStore } from 'react';
import type { ListingModel } from '../listing/model/listing-model.ts';
import type { FolderView } from './folder-views.ts';

/** The fraction of pictures and videos from which a folder is first shown as photos, and their least number. */
const photoFraction = 0.6;
const minPhotos = 6;

/** Whether a folder contains mostly pictures and videos. */
export function isPhotoFolder(model: Pick<ListingModel, 'totalCount' | 'mediaCount'>): boolean {
  const { mediaCount } = model;
  return mediaCount >= minPhotos && mediaCount > photoFraction * model.totalCount;
}

/**
 * Whether the folder of `model` contained mostly pictures and videos when it was loaded. Later changes do not switch the view while the
 * user works in it.
 */
export function useIsPhotoFolder(model: ListingModel): boolean {
  const [decided, setDecided] = useState<{ model: ListingModel; is: boolean } | null>(null);
  const isNow = useSyncExternalStore(model.subscribe, () => isPhotoFolder(model));
  const isLoaded = useSyncExternalStore(model.subscribe, () => model.phase === 'ready');
  if (isLoaded && decided?.model !== model) setDecided({ model, is: isNow });
  return decided?.model === model ? decided.is : isNow;
}

/** The order of photos unless the user has chosen another: the newest first. */
const photoSorting: Sorting = { by: 'modified', asc: false };

/**
 * Returns the view of a folder: the one chosen for it, photos for a folder of pictures, otherwise that of the user's settings. Photos are
 * sorted by date unless the folder has an order of its own.
 */
export function viewOf(
  account: { readonly viewMode: ViewMode; readonly sorting: Sorting },
  chosen: FolderView | undefined,
  isOfPhotos: boolean,
): { viewMode: ViewMode; sorting: Sorting } {
  const viewMode = chosen?.viewMode ?? (isOfPhotos ? 'mosaic gallery' : account.viewMode);
  const usual = viewMode === 'mosaic gallery' ? photoSorting : account.sorting;
  return { viewMode, sorting: chosen?.sorting ?? usual };
}
