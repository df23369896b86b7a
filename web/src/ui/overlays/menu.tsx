import {
  createContext,
  useContext,
  useId,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { EventBarrier } from './event-barrier.tsx';
import { useLazyPart } from './lazy-part.ts';
import { menuOverlay, MenuPartsContext } from './lazy-menu-overlay.ts';
import '../outer-press.ts';
import type { MenuChoiceProps, MenuItemProps, MenuPlacement } from './menu-props.ts';
import { TriggerContext, type TriggerProps } from './trigger-context.ts';
import { useOpeningCount } from './use-opening-count.ts';

interface MenuState {
  isOpen: boolean;
  focus: 'first' | 'last' | 'menu';
  triggerId: string;
  menuId: string;
  triggerRef: RefObject<HTMLButtonElement | null>;
  close: () => void;
}

const MenuStateContext = createContext<MenuState | null>(null);

export interface MenuTriggerProps {
  /** A `Button` or `IconButton`, followed by a `Menu`. */
  children: ReactNode;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
}

/** Connects a button to the menu that it opens. */
export function MenuTrigger({ children, onOpenChange }: MenuTriggerProps) {
  const triggerId = useId();
  const menuId = useId();
  const triggerRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [focus, setFocus] = useState<MenuState['focus']>('menu');

  const { state, trigger } = useMemo(() => {
    const show = (nextFocus: MenuState['focus']) => {
      setFocus(nextFocus);
      setOpen(true);
      onOpenChange?.(true);
    };
    const close = () => {
      setOpen(false);
      onOpenChange?.(false);
    };
    const state: MenuState = { isOpen, focus, triggerId, menuId, triggerRef, close };
    const trigger: TriggerProps = {
      id: triggerId,
      ref: (element) => {
        triggerRef.current = element;
      },
      'aria-haspopup': 'menu',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? menuId : undefined,
      onClick: (event) => {
        // Safari does not focus a pressed button, but the focus has to return to it.
        event.currentTarget.focus();
        if (isOpen) close();
        // A press by keyboard has a click count of 0.
        else show(event.detail === 0 ? 'first' : 'menu');
      },
      onKeyDown: (event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        event.stopPropagation();
        show(event.key === 'ArrowDown' ? 'first' : 'last');
      },
      onPointerEnter: () => {
        // Fetched before the press; a failure is reported when the menu is opened.
        menuOverlay.load().catch(() => undefined);
      },
    };
    return { state, trigger };
  }, [isOpen, focus, triggerId, menuId, onOpenChange]);

  return (
    <MenuStateContext value={state}>
      <TriggerContext value={trigger}>{children}</TriggerContext>
    </MenuStateContext>
  );
}

export interface MenuProps {
  /** The accessible name. Default: the name of the trigger. */
  label?: string | undefined;
  placement?: MenuPlacement | undefined;
  children: ReactNode;
}

/** The menu of a `MenuTrigger`. Its children are rendered only while it is open. */
export function Menu({ label, placement = 'bottom start', children }: MenuProps) {
  const state = useContext(MenuStateContext);
  const openings = useOpeningCount(state?.isOpen === true);
  const parts = useLazyPart(menuOverlay, openings > 0, () => state?.close());
  if (state === null || parts === null || openings === 0) return null;
  return (
    <EventBarrier>
      <TriggerContext value={null}>
        <MenuPartsContext value={parts}>
          {/* As in a dialog, a menu that is opened again while it is fading out starts again. */}
          <parts.MenuOverlay
            key={openings}
            id={state.menuId}
            label={label}
            labelledBy={label === undefined ? state.triggerId : undefined}
            isOpen={state.isOpen}
            onClose={state.close}
            triggerRef={state.triggerRef}
            placement={placement}
            focus={state.focus}
          >
            {children}
          </parts.MenuOverlay>
        </MenuPartsContext>
      </TriggerContext>
    </EventBarrier>
  );
}

/** An action in a `Menu` or `ContextMenu`. */
export function MenuItem(props: MenuItemProps) {
  const parts = useContext(MenuPartsContext);
  return parts && <parts.Item {...props} />;
}

export function MenuSeparator() {
  const parts = useContext(MenuPartsContext);
  return parts && <parts.Line />;
}

/** A single choice within a menu, such as the sorting or the theme. The menu stays open. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const parts = useContext(MenuPartsContext);
  return parts && <parts.Choice {...props} />;
}
