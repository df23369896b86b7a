import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import type { Ground } from './ground.ts';

/** The ground that the user has chosen last, for all pictures until the page is closed. */
let lastGround: Ground = 'checkered';

/** The ground of the picture at `path`. */
export interface GroundChoice {
  /** Null for a picture without transparency, which is shown on the dark stage. */
  readonly ground: Ground | null;
  readonly setGround: (ground: Ground) => void;
  /** Notes that the picture has transparent pixels, as soon as it has loaded. */
  readonly noteTransparency: () => void;
}

/** Offers a choice of grounds for pictures with transparency. */
export function useGround(path: VirtualPath): GroundChoice {
  const [transparent, setTransparent] = useState<VirtualPath | null>(null);
  const [chosen, setChosen] = useState(lastGround);
  return {
    ground: transparent === path ? chosen : null,
    setGround: (ground) => {
      lastGround = ground;
      setChosen(ground);
    },
    noteTransparency: () => setTransparent(path),
  };
}
