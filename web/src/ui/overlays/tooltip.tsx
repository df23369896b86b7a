import {
  cloneElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { createResettableTimer } from '../hooks/resettable-timer.ts';
import { Kbd } from '../keyboard/kbd.tsx';
import styles from './tooltip.module.css';

/** A tooltip appears after 400 ms. The pointer may move onto it before it closes. */
const appearsAfterMs = 400;
const leavesAfterMs = 100;
const gapPx = 8;

export interface TooltipTriggerProps {
  onPointerEnter?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onPointerLeave?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onPointerDown?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onFocus?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
  onBlur?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
  'aria-describedby'?: string | undefined;
}

export interface TooltipProps {
  text: ReactNode;
  shortcut?: string | undefined;
  /** False if the text is already the name of the trigger; it would be read twice. */
  isDescription?: boolean | undefined;
  /** One element that accepts pointer and focus handlers. */
  children: ReactElement<TooltipTriggerProps>;
}

/** A text that appears beside an element while it is hovered or focused. */
export function Tooltip({ text, shortcut, isDescription = true, children }: TooltipProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [delay] = useState(createResettableTimer);
  const hide = () => {
    delay.cancel();
    setAnchor(null);
  };
  useEffect(() => delay.cancel, [delay]);

  const own = children.props;
  return (
    <>
      {cloneElement(children, {
        'aria-describedby': isDescription && anchor ? id : own['aria-describedby'],
        onPointerEnter: (event) => {
          own.onPointerEnter?.(event);
          const { currentTarget, pointerType } = event;
          if (pointerType !== 'touch') delay.set(appearsAfterMs, () => setAnchor(currentTarget));
        },
        onPointerLeave: (event) => {
          own.onPointerLeave?.(event);
          delay.set(leavesAfterMs, () => setAnchor(null));
        },
        onPointerDown: (event) => {
          own.onPointerDown?.(event);
          hide();
        },
        onFocus: (event) => {
          own.onFocus?.(event);
          if (event.currentTarget.matches(':focus-visible')) setAnchor(event.currentTarget);
        },
        onBlur: (event) => {
          own.onBlur?.(event);
          hide();
        },
      })}
      {anchor &&
        createPortal(
          <Bubble
            id={id}
            anchor={anchor}
            onHide={hide}
            onPointerEnter={delay.cancel}
            onPointerLeave={() => delay.set(leavesAfterMs, () => setAnchor(null))}
          >
            {text}
            {shortcut !== undefined && <Kbd shortcut={shortcut} />}
          </Bubble>,
          document.body,
        )}
    </>
  );
}

interface BubbleProps {
  id: string;
  anchor: HTMLElement;
  onHide: () => void;
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  children: ReactNode;
}

function Bubble({ id, anchor, onHide, onPointerEnter, onPointerLeave, children }: BubbleProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const bubble = ref.current;
    if (bubble === null) return;
    const box = anchor.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = bubble;
    const fitsBelow = box.bottom + gapPx + offsetHeight <= window.innerHeight;
    const middle = box.left + box.width / 2 - offsetWidth / 2;
    const inside = Math.min(Math.max(gapPx, middle), window.innerWidth - offsetWidth - gapPx);
    bubble.style.top = `${fitsBelow ? box.bottom + gapPx : box.top - gapPx - offsetHeight}px`;
    bubble.style.left = `${Math.max(gapPx, inside)}px`;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onHide();
    };
    // In the capture phase: an overlay may stop Escape, and scroll events do not bubble.
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('scroll', onHide, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('scroll', onHide, true);
    };
  }, [onHide]);
  return (
    <div
      ref={ref}
      id={id}
      role="tooltip"
      className={styles.tooltip}
      data-react-aria-top-layer="true"
      onPointerEnter={onPointerEnter}
      onPointerLeave={onPointerLeave}
    >
      {children}
    </div>
  );
}
