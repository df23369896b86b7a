import { create } from 'zustand';

/** How close together the rows of the list are. */
export const densities = ['compact', 'normal', 'cosy'] as const;
export type Density = (typeof densities)[number];
/** Design, Density and views. */
export const rowHeightsPx = { compact: 32, normal: 40, cosy: 48 } as const;

/** The widths of a column of tiles to choose from, in px; the middle one is the product's own (docs/reference/behaviour.md §9). */
export const tileWidthsPx = [200, 240, 280, 340, 420] as const;
const usualTileStep = 2;

interface ViewOptions {
  readonly density: Density;
  /** An index into {@link tileWidthsPx}. */
  readonly tileStep: number;
}

const storageKey = 'filestead.view';

function readStored(): ViewOptions {
  const usual: ViewOptions = { density: 'normal', tileStep: usualTileStep };
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<ViewOptions>;
    const { density, tileStep } = stored;
    return {
      density: densities.find((known) => known === density) ?? usual.density,
      tileStep: tileStep !== undefined && tileStep in tileWidthsPx ? tileStep : usual.tileStep,
    };
  } catch {
    return usual;
  }
}

/** How the listing looks on this device; remembered in this browser. */
export const useViewOptions = create<ViewOptions>(readStored);

function change(part: Partial<ViewOptions>): void {
  useViewOptions.setState(part);
  try {
    localStorage.setItem(storageKey, JSON.stringify(useViewOptions.getState()));
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
  }
}

export const chooseDensity = (density: Density): void => change({ density });

/** Chooses a width of tiles by its index; beyond the ends nothing happens. */
export function chooseTileStep(tileStep: number): void {
  if (tileStep in tileWidthsPx) change({ tileStep });
}

/** Makes the tiles wider or narrower by some steps. */
export const stepTiles = (steps: number): void => chooseTileStep(useViewOptions.getState().tileStep + steps);
