import { useEffect, useRef, type ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import type { DialogProps } from './dialog-props.ts';
import styles from './dialog.module.css';
import { IconButton } from '../buttons/icon-button.tsx';
import { X } from '../icons.ts';
import { takeHeldTyping, typeInto } from '../keyboard/hold-typing.ts';
import { useScrollable } from '../hooks/use-scrollable.ts';
import { useSwipeDown } from './use-swipe-down.ts';

/** The open dialog. */
export function DialogOverlay(props: DialogProps) {
  const { isOpen, onClose, size = 'medium', isDismissable = true, role = 'dialog' } = props;
  const { languageTag } = useLocale();
  return (
    <I18nProvider locale={languageTag}>
      <ModalOverlay
        className={styles.overlay ?? ''}
        data-dialog-overlay=""
        isOpen={isOpen}
        onOpenChange={(next) => {
          if (!next) onClose();
        }}
        isDismissable={isDismissable && role === 'dialog'}
        isKeyboardDismissDisabled={!isDismissable}
      >
        <Modal className={styles.modal ?? ''} data-size={size}>
          <Sheet {...props} />
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}

function Sheet(props: DialogProps) {
  const {
    title,
    onClose,
    children,
    footer,
    onSubmit,
    isDismissable = true,
    role = 'dialog',
    isFlush = false,
  } = props;
  const { t } = useTranslation('common');
  const sheet = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const isScrollable = useScrollable(body);
  useHeldTyping();
  const swipe = useSwipeDown({
    isEnabled: isDismissable,
    onMove: (distancePx) => {
      if (sheet.current) sheet.current.style.translate = distancePx === 0 ? '' : `0 ${distancePx}px`;
    },
    onSwiped: onClose,
  });
  const rest = (
    <>
      <div
        ref={body}
        className={styles.body}
        data-flush={isFlush || undefined}
        {...(isScrollable && { tabIndex: 0, role: 'group', 'aria-label': title })}
      >
        {children}
      </div>
      {footer !== undefined && <div className={styles.footer}>{footer}</div>}
    </>
  );
  return (
    <AriaDialog ref={sheet} role={role} className={styles.dialog ?? ''}>
      <div className={styles.header} {...swipe}>
        <Heading slot="title" level={2} className={styles.title ?? ''}>
          {title}
        </Heading>
        {isDismissable && role === 'dialog' && (
          <IconButton size="small" label={t('close')} icon={<X />} hasTooltip={false} onClick={onClose} />
        )}
      </div>
      {onSubmit === undefined ? rest : <DialogForm onSubmit={onSubmit}>{rest}</DialogForm>}
    </AriaDialog>
  );
}

/** Types what was typed while the dialog was fetched into its field that has the focus, if any. */
function useHeldTyping(): void {
  useEffect(() => {
    // The field gets the focus, and its text is selected, by other effects.
    const timer = setTimeout(() => {
      const typed = takeHeldTyping();
      const field = document.activeElement;
      // Checkboxes have no selection.
      if (field instanceof HTMLInputElement && field.selectionStart !== null) typeInto(field, typed);
    });
    return () => clearTimeout(timer);
  }, []);
}

function DialogForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null);
  // Browsers submit by Enter in a field only. The dialog and its body have the focus after a press beside the fields.
  useEffect(() => {
    const dialog = form.current?.parentElement;
    const submit = (event: KeyboardEvent): void => {
      const isBetweenFields = event.target === dialog || event.target === form.current?.firstElementChild;
      if (event.key !== 'Enter' || !isBetweenFields || hasModifier(event)) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    dialog?.addEventListener('keydown', submit);
    return () => dialog?.removeEventListener('keydown', submit);
  }, []);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

const hasModifier = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing || event.repeat;
