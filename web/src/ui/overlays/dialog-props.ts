import type { ReactNode } from 'react';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Called by Escape, ✕, a press outside or a swipe. */
  onClose: () => void;
  children: ReactNode;
  /** The buttons, the main one last. With `onSubmit` they belong to the form: give the main one `type="submit"`. */
  footer?: ReactNode;
  /** 480, 576, 680 px wide, or 960 for two columns. Default: medium. */
  size?: 'medium' | 'large' | 'larger' | 'wide' | undefined;
  /** Makes body and footer a form, so that Enter in a field submits it. */
  onSubmit?: (() => void) | undefined;
  /** If false, neither Escape nor a press outside closes it, for example while it is working. Default: true. */
  isDismissable?: boolean | undefined;
  /** An `alertdialog` interrupts the user; a press outside does not close it. */
  role?: 'dialog' | 'alertdialog' | undefined;
  /** No padding around the body, for lists and trees that fill it. */
  isFlush?: boolean | undefined;
}
