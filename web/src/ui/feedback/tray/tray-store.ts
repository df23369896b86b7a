import { create } from 'zustand';

/** The sections of the tray in their order: the first one names the tray. */
export const traySections = ['uploads', 'jobs'] as const;
export type TraySectionId = (typeof traySections)[number];

/** The data of a section for the header of the tray and its collapsed form. */
export interface TraySummary {
  /** The heading, such as "Uploading 3 of 10". */
  readonly title: string;
  /** The text of the collapsed tray, by default the heading. For uploads: what waits for the user; absent while some are in the queue. */
  readonly shortTitle?: string | undefined;
  /** From 0 to 1; null while the total is unknown. */
  readonly progress: number | null;
  /** Whether work is in progress. The tray opens when it begins. */
  readonly isBusy: boolean;
  /** Whether something waits for the user without work in progress. */
  readonly isWaiting?: boolean | undefined;
  /** The number of shown items. The tray opens when it grows. */
  readonly size: number;
  /** The number of failures, and of items that wait for a decision. */
  readonly alerts: number;
}

interface TrayState {
  /** The summaries of the shown sections. */
  readonly summaries: Readonly<Partial<Record<TraySectionId, TraySummary | undefined>>>;
  /** The elements that contain the sections, and the element for the buttons of the header, once they are rendered. */
  readonly slots: Readonly<Partial<Record<TraySectionId | 'actions', HTMLElement | undefined>>>;
  readonly isOpen: boolean;
  /** The number of times that something has opened the tray. */
  readonly openings: number;
  /** Whether the pointer or the focus is in the tray, or the page is hidden. The tray does not collapse meanwhile. */
  readonly isHeld: boolean;
}

/** The tray at the bottom end of the page. Sections add themselves with `TraySection`. */
export const useTray = create<TrayState>(() => ({
  summaries: {},
  slots: {},
  isOpen: false,
  openings: 0,
  isHeld: false,
}));

/** Shows a section, or changes its summary. */
export function setTraySummary(id: TraySectionId, summary: TraySummary): void {
  useTray.setState(({ summaries }) => ({ summaries: { ...summaries, [id]: summary } }));
}

export function removeTraySection(id: TraySectionId): void {
  useTray.setState(({ summaries }) => ({ summaries: { ...summaries, [id]: undefined } }));
}

export function setTraySlot(id: TraySectionId | 'actions', element: HTMLElement | null): void {
  useTray.setState(({ slots }) => ({ slots: { ...slots, [id]: element ?? undefined } }));
}

/** Opens the tray. If it is open, it stays open for a whole interval again. */
export const openTray = (): void =>
  useTray.setState(({ openings }) => ({ isOpen: true, openings: openings + 1 }));

/** Collapses the tray; with `opening` only if it has not been opened again since that time. */
export function closeTray(opening?: number): void {
  useTray.setState(({ openings }) =>
    opening === undefined || opening === openings ? { isOpen: false } : {},
  );
}

/** Selector of whether the tray has content. */
export const hasTraySections = ({ summaries }: Pick<TrayState, 'summaries'>): boolean =>
  traySections.some((id) => summaries[id] !== undefined);
