import type { ReactNode } from 'react';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Asked for by Escape, ✕, a press outside or a swipe. */
  onClose: () => void;
  children: ReactNode;
  /** The buttons, the main one last. With `onSubmit` they belong to the form: give the main one `type="submit"`. */
  footer?: ReactNode;
  /** 400, 480, 560 px wide, or 960 for two columns. Default: medium. */
  size?: 'small' | 'medium' | 'large' | 'wide' | undefined;
  /** Makes a form of body and footer, so that Enter in a field submits. */
  onSubmit?: (() => void) | undefined;
  /** False: neither Escape nor a press outside closes it, such as while it works. Default: true. */
  isDismissable?: boolean | undefined;
  /** `alertdialog` interrupts; a press outside does not close it. */
  role?: 'dialog' | 'alertdialog' | undefined;
  /** No padding around the body, for lists and trees that fill it. */
  isFlush?: boolean | undefined;
}
