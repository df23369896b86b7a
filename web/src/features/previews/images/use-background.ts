import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import type { Background } from './background.ts';

/** The background that the user has chosen last, for all pictures until the page is closed. */
let lastBackground: Background = 'checkered';

/** The background of the picture at `path`. */
export interface BackgroundChoice {
  /** Null for a picture without transparency, which is shown on the dark stage. */
  readonly background: Background | null;
  readonly setBackground: (background: Background) => void;
  /** Notes that the picture has transparent pixels, as soon as it has loaded. */
  readonly noteTransparency: () => void;
}

/** Offers a choice of backgrounds for pictures with transparency. */
export function useBackground(path: VirtualPath): BackgroundChoice {
  const [transparent, setTransparent] = useState<VirtualPath | null>(null);
  const [chosen, setChosen] = useState(lastBackground);
  return {
    background: transparent === path ? chosen : null,
    setBackground: (background) => {
      lastBackground = background;
      setChosen(background);
    },
    noteTransparency: () => setTransparent(path),
  };
}
