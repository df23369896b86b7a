import { useCallback, useEffect, useId, useLayoutEffect, useRef, type RefObject } from 'react';
import { ChevronDown, ChevronUp, CircleAlert, CircleCheck, Pause } from '../../icons.ts';
import { useIsPhone } from '../../hooks/use-media-query.ts';
import styles from './tray-card.module.css';
import {
  closeTray,
  openTray,
  setTraySlot,
  traySections,
  useTray,
  type TraySectionId,
  type TraySummary,
} from './tray-store.ts';

/** The time without additions after which the tray collapses, in ms. */
export const trayCollapseMs = 10_000;

interface TrayCardProps {
  labels: {
    /** The name of the landmark. */
    tray: string;
    expand: string;
    collapse: string;
    /** Formats the number of alerts for screen readers. */
    alerts: (count: number) => string;
  };
}

/**
 * The card of the tray, with a header and the sections that have been added. It opens when something is added, and becomes a
 * small button after ten seconds; on the phone it is a bar that the user opens. Render it once, outside the routes.
 */
export function TrayCard({ labels }: TrayCardProps) {
  const summaries = useTray((state) => state.summaries);
  const sections = traySections.flatMap((id) => {
    const summary = summaries[id];
    return summary ? [{ id, ...summary }] : [];
  });
  const [first, ...others] = sections;
  return first === undefined ? null : <Card labels={labels} sections={[first, ...others]} />;
}

type Section = TraySummary & { readonly id: TraySectionId };

function Card({ labels, sections }: TrayCardProps & { sections: readonly [Section, ...Section[]] }) {
  const card = useRef<HTMLElement>(null);
  const contentId = useId();
  const isPhone = useIsPhone();
  const isOpen = useTray((state) => state.isOpen);
  const [first] = sections;
  const alerts = sections.reduce((sum, section) => sum + section.alerts, 0);
  const size = sections.reduce((sum, section) => sum + section.size, 0);
  useHold(card);
  const isBusy = sections.some((section) => section.isBusy);
  useOpening({ size, alerts, isBusy }, isPhone);
  usePublishedSize(card, isOpen || isPhone);
  const title = isOpen ? first.title : (first.shortTitle ?? first.title);
  const name = [title, ...(alerts > 0 ? [labels.alerts(alerts)] : [])].join('. ');
  return (
    <section ref={card} className={styles.card} aria-label={labels.tray} data-open={isOpen || undefined}>
      <header className={styles.header}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={contentId}
          aria-label={`${name}. ${isOpen ? labels.collapse : labels.expand}`}
          onClick={() => (isOpen ? closeTray() : openTray())}
        >
          {!isOpen && <State summaries={sections} />}
          <span className={styles.title}>{title}</span>
          {!isOpen && alerts > 0 && (
            <span className={styles.alerts}>
              <CircleAlert />
              {alerts}
            </span>
          )}
          {(isOpen || isPhone) && (isOpen ? <ChevronDown /> : <ChevronUp />)}
        </button>
        <Slot id="actions" className={styles.actions} />
      </header>
      <div id={contentId} className={styles.content} hidden={!isOpen}>
        {isOpen && sections.map(({ id }) => <Slot key={id} id={id} className={styles.section} />)}
      </div>
    </section>
  );
}

/** An element into which sections are rendered. */
function Slot({ id, className }: { id: TraySectionId | 'actions'; className: string | undefined }) {
  const setElement = useCallback((element: HTMLElement | null) => setTraySlot(id, element), [id]);
  return <div ref={setElement} className={className} />;
}

/** The progress of all sections as a ring. Afterwards a tick, unless something has failed or waits for the user. */
function State({ summaries }: { summaries: readonly TraySummary[] }) {
  const busy = summaries.filter(({ isBusy }) => isBusy);
  if (busy.length === 0) {
    if (summaries.some(({ alerts }) => alerts > 0)) return null;
    return summaries.some(({ isWaiting }) => isWaiting) ? <Pause /> : <CircleCheck className={styles.done} />;
  }
  const known = busy.flatMap(({ progress }) => (progress === null ? [] : [progress]));
  const share = known.length === 0 ? 0 : known.reduce((sum, progress) => sum + progress, 0) / known.length;
  return (
    <svg className={styles.ring} viewBox="0 0 18 18" aria-hidden="true">
      <circle cx="9" cy="9" r="7" />
      <circle cx="9" cy="9" r="7" pathLength="1" strokeDasharray={`${Math.max(0.04, share)} 1`} />
    </svg>
  );
}

/**
 * Notes while the pointer or the focus is in the card, or the page is hidden. The sections are portals, whose events do not
 * reach handlers of the card in React.
 */
function useHold(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = card.current;
    if (element === null) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    let isPointed = false;
    let isFocused = false;
    const update = () =>
      useTray.setState({ isHeld: isPointed || isFocused || document.visibilityState === 'hidden' });
    const point = (isInside: boolean) => () => {
      isPointed = isInside;
      update();
    };
    const focus = (target: EventTarget | null) => {
      isFocused = target instanceof Node && element.contains(target);
      update();
    };
    element.addEventListener('pointerenter', point(true), { signal });
    element.addEventListener('pointerleave', point(false), { signal });
    element.addEventListener('focusin', ({ target }) => focus(target), { signal });
    element.addEventListener('focusout', ({ relatedTarget }) => focus(relatedTarget), { signal });
    document.addEventListener('visibilitychange', update, { signal });
    update();
    return () => {
      listening.abort();
      useTray.setState({ isHeld: false });
    };
  }, [card]);
}

type Activity = Pick<TraySummary, 'size' | 'alerts' | 'isBusy'>;

/** Opens the tray when something is added or begins, and collapses it later. On the phone only new alerts open it. */
function useOpening({ size, alerts, isBusy }: Activity, isPhone: boolean): void {
  const isOpen = useTray((state) => state.isOpen);
  const isHeld = useTray((state) => state.isHeld);
  const openings = useTray((state) => state.openings);
  const before = useRef<Activity>({ size: 0, alerts: 0, isBusy: false });
  useLayoutEffect(() => {
    const earlier = before.current;
    before.current = { size, alerts, isBusy };
    // New work may replace as much that has ended.
    const hasMore = size > earlier.size || (isBusy && !earlier.isBusy);
    if (alerts > earlier.alerts || (hasMore && !isPhone)) openTray();
  }, [size, alerts, isBusy, isPhone]);
  useEffect(() => () => closeTray(), []);
  useEffect(() => {
    if (!isOpen || isHeld) return undefined;
    const timer = setTimeout(() => closeTray(openings), trayCollapseMs);
    return () => clearTimeout(timer);
  }, [isOpen, isHeld, openings]);
}

/** Publishes the height of the card for the position of toasts, and the width of the collapsed button for the footer of a folder. */
function usePublishedSize(card: RefObject<HTMLElement | null>, isCard: boolean): void {
  useEffect(() => {
    const element = card.current;
    if (element === null) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty('--tray-height', `${element.offsetHeight}px`);
      style.setProperty('--tray-pill', isCard ? '0px' : `${element.offsetWidth + 12}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--tray-height');
      style.removeProperty('--tray-pill');
    };
  }, [card, isCard]);
}
