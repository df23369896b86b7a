import { useEffect, useLayoutEffect, useRef, type ReactElement, type ReactNode, type RefObject } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import {
  Header,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection,
  Popover,
  Separator,
  Text,
} from 'react-aria-components/Menu';
import { useLocale } from '../../i18n/use-locale.ts';
import { Check } from '../icons.ts';
import { menuIcons } from './menu-icons.ts';
import type { MenuChoiceProps, MenuItemProps, MenuPlacement } from './menu-props.ts';
import styles from './menu.module.css';
import { shortcutForAria, shortcutLabel } from '../keyboard/shortcut.ts';

interface MenuOverlayProps {
  id?: string | undefined;
  label?: string | undefined;
  labelledBy?: string | undefined;
  isOpen: boolean;
  onClose: () => void;
  triggerRef: RefObject<HTMLElement | null>;
  placement: MenuPlacement;
  focus: 'first' | 'last' | 'menu';
  isAtPoint?: boolean;
  children: ReactNode;
}

/** The open menu of `MenuTrigger` and `ContextMenu`. */
export function MenuOverlay(props: MenuOverlayProps) {
  const { id, label, labelledBy, isOpen, onClose, triggerRef, placement, focus, isAtPoint = false } = props;
  const { languageTag } = useLocale();
  const popover = useRef<HTMLElement>(null);
  useRightClickOutside(popover, isOpen, onClose);
  useItemFocus(popover, focus);
  const name = {
    ...(label !== undefined && { 'aria-label': label }),
    ...(labelledBy !== undefined && { 'aria-labelledby': labelledBy }),
  };
  return (
    <I18nProvider locale={languageTag}>
      <Popover
        ref={popover}
        {...name}
        className={styles.popover ?? ''}
        data-sheet
        isOpen={isOpen}
        onOpenChange={(next) => {
          if (!next) onClose();
        }}
        triggerRef={triggerRef}
        placement={placement}
        offset={isAtPoint ? 0 : 4}
        containerPadding={8}
      >
        <AriaMenu
          {...(id !== undefined && { id })}
          {...name}
          className={styles.menu ?? ''}
          autoFocus={focus === 'menu' ? true : focus}
          onClose={onClose}
          shouldFocusWrap
        >
          {props.children}
        </AriaMenu>
      </Popover>
    </I18nProvider>
  );
}

/**
 * Passes the focus of a menu that was opened by keyboard on to its first or last item. For React Aria, Enter and Space on a
 * button are clicks of a screen reader, after which the focus would stay on the menu, where the next Enter does nothing.
 */
function useItemFocus(popover: RefObject<HTMLElement | null>, focus: MenuOverlayProps['focus']): void {
  useLayoutEffect(() => {
    const element = popover.current;
    if (focus === 'menu' || element === null) return undefined;
    const onFocusIn = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.getAttribute('role') !== 'menu') return;
      const items = [
        ...target.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])'),
      ];
      items.at(focus === 'first' ? 0 : -1)?.focus();
    };
    element.addEventListener('focusin', onFocusIn);
    return () => element.removeEventListener('focusin', onFocusIn);
  }, [popover, focus]);
}

/**
 * Lets a right click outside an open menu close it and open the context menu of the element below, as the operating
 * system does.
 */
function useRightClickOutside(
  popover: RefObject<HTMLElement | null>,
  isOpen: boolean,
  onClose: () => void,
): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onContextMenu = (event: MouseEvent) => {
      const { target, clientX, clientY } = event;
      if (!(target instanceof Node)) return;
      event.preventDefault();
      if (popover.current?.contains(target) === true) return;
      event.stopPropagation();
      document.removeEventListener('contextmenu', onContextMenu, true);
      onClose();
      // The page receives events again once the menu has released it.
      requestAnimationFrame(() => {
        const init = { bubbles: true, cancelable: true, clientX, clientY, button: 2 };
        document.elementFromPoint(clientX, clientY)?.dispatchEvent(new MouseEvent('contextmenu', init));
      });
    };
    document.addEventListener('contextmenu', onContextMenu, true);
    return () => document.removeEventListener('contextmenu', onContextMenu, true);
  }, [popover, isOpen, onClose]);
}

function iconOf(icon: MenuItemProps['icon']): ReactElement | undefined {
  if (typeof icon !== 'string') return icon;
  const Icon = menuIcons[icon];
  return <Icon />;
}

/** An item of a menu that runs an action. */
export function Item(props: MenuItemProps) {
  const {
    children,
    onAction,
    icon,
    shortcut,
    tone = 'neutral',
    description,
    textValue,
    isDisabled = false,
  } = props;
  return (
    <AriaMenuItem
      className={styles.item ?? ''}
      data-tone={tone}
      textValue={textValue ?? (typeof children === 'string' ? children : '')}
      onAction={onAction}
      isDisabled={isDisabled}
      {...(shortcut !== undefined && { 'aria-keyshortcuts': shortcutForAria(shortcut) })}
    >
      {iconOf(icon)}
      <span className={styles.texts}>
        <Text slot="label">{children}</Text>
        {description !== undefined && (
          <Text slot="description" className={styles.description}>
            {description}
          </Text>
        )}
      </span>
      {shortcut !== undefined && (
        <span className={styles.shortcut} dir="ltr" aria-hidden="true">
          {shortcutLabel(shortcut)}
        </span>
      )}
    </AriaMenuItem>
  );
}

/** A line between items. */
export function Line() {
  return <Separator className={styles.separator ?? ''} />;
}

/** Items of which one is chosen. The menu stays open. */
export function Choice<Value extends string>(props: MenuChoiceProps<Value>) {
  const { label, hasHeading = false, value, onChange, options } = props;
  return (
    <MenuSection
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = options.find((option) => keys !== 'all' && keys.has(option.value));
        if (chosen) onChange(chosen.value);
      }}
      shouldCloseOnSelect={false}
    >
      {hasHeading && <Header className={styles.heading}>{label}</Header>}
      {options.map((option) => (
        <AriaMenuItem
          key={option.value}
          id={option.value}
          className={styles.item ?? ''}
          textValue={option.label}
        >
          {iconOf(option.icon)}
          <span className={styles.texts}>
            <Text slot="label" lang={option.lang}>
              {option.label}
            </Text>
          </span>
          <Check className={styles.check} />
        </AriaMenuItem>
      ))}
    </MenuSection>
  );
}
