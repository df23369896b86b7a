import { createContext } from 'react';
import type * as Overlay from './menu-overlay.tsx';
import { lazyPart } from './lazy-part.ts';

/** The code of menus, which no first paint needs. */
export const menuOverlay = lazyPart(() => import('./menu-overlay.tsx'));

/** Inside an open menu: the components that render its items. */
export const MenuPartsContext = createContext<typeof Overlay | null>(null);
