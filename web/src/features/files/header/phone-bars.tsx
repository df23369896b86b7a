import { createElement, type ComponentType, type ReactNode } from 'react';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import styles from './phone-bars.module.css';

const controls = lazyPart(() => import('./phone-controls.tsx'));

/** Returns a control of phones, whose code is not fetched on desktops; `space` is shown until it is there. */
const phoneControl = <Props extends object>(
  choose: (parts: typeof import('./phone-controls.tsx')) => ComponentType<Props>,
  space?: ReactNode,
) =>
  function PhoneControl(props: Props) {
    const parts = useLazyPart(controls, true, () => undefined);
    return parts ? createElement(choose(parts), props) : space;
  };

export const PhoneSelectionTop = phoneControl(
  (parts) => parts.PhoneSelectionTop,
  <div className={styles.topSpace} />,
);
export const PhoneMenu = phoneControl((parts) => parts.PhoneMenu);
export const PhoneAddButton = phoneControl((parts) => parts.PhoneAddButton);
export const PhoneListHead = phoneControl(
  (parts) => parts.PhoneListHead,
  <div className={styles.headSpace} />,
);
