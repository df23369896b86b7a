import { createContext } from 'react';
import type * as Overlay from './menu-overlay.tsx';
import { lazyPart } from './lazy-part.ts';

/** Menus open with code that no first paint needs. */
export const menuOverlay = lazyPart(() => import('./menu-overlay.tsx'));

/** Inside an open menu: the parts that items are drawn with. */
export const MenuPartsContext = createContext<typeof Overlay | null>(null);
