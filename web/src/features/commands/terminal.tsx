import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { displayName } from '../../i18n/display-name.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Eraser, Square, X } from '../../ui/icons.ts';
import { useKeyWithin } from '../../ui/hooks/use-key-within.ts';
import { useScrollable } from '../../ui/hooks/use-scrollable.ts';
import { parseBuiltIn } from './built-in.ts';
import type { ShellSession, Step } from './shell-session.ts';
import { TerminalOutput } from './terminal-output.tsx';
import styles from './terminal.module.css';

interface TerminalProps {
  session: ShellSession;
  folder: VirtualPath;
  allowed: readonly string[];
  onClose: () => void;
  onOpenFolder: (folder: VirtualPath) => void;
  /** Whether to show a title and a close button; false when the surrounding dialog has them. */
  hasTitle: boolean;
}

/** Maximum height of the command line in lines, so that pasted commands can be reviewed before they run. */
const maxInputLines = 6;

/**
 * The output with the command line below; several lines run in sequence. The direction is always left to right, as
 * programs expect.
 */
export function Terminal({ session, folder, allowed, onClose, onOpenFolder, hasTitle }: TerminalProps) {
  const { t } = useTranslation('commands');
  const { runs, isRunning } = useSyncExternalStore(session.subscribe, session.getSnapshot);
  const { history } = session;
  const [line, setLine] = useDraft(session);
  const input = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useFocusAfterRun(isRunning, input, frame);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (line.trim() === '' || isRunning) return;
    setLine('');
    if (line.trim() !== 'exit') history.add(line);
    const steps: Step[] = [];
    let currentFolder = folder;
    for (const inputLine of line.split('\n')) {
      const builtInCommand = parseBuiltIn(inputLine, currentFolder);
      if (builtInCommand?.kind === 'exit') {
        onClose();
        break;
      }
      if (builtInCommand?.kind === 'clear') session.clear();
      else if (builtInCommand?.kind === 'go') currentFolder = builtInCommand.to;
      else if (inputLine.trim() !== '') steps.push({ folder: currentFolder, line: inputLine });
    }
    if (currentFolder !== folder) onOpenFolder(currentFolder);
    session.run(...steps);
  };
  const onInputKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const isFirstLine = !line.slice(0, selectionStart).includes('\n');
    const isLastLine = !line.slice(selectionEnd).includes('\n');
    if (isPlain && event.key === 'Enter') {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    } else if (isPlain && event.key === 'ArrowUp' && isFirstLine) {
      event.preventDefault();
      setLine(history.older(line) ?? line);
    } else if (isPlain && event.key === 'ArrowDown' && isLastLine) {
      event.preventDefault();
      setLine(history.newer() ?? line);
    } else if (event.key === 'Escape' && line !== '') {
      event.preventDefault();
      setLine('');
    }
  };
  useKeyWithin(frame, true, (event) => {
    if (!event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const hasSelection = (getSelection()?.toString() ?? '') !== '';
    // Caps Lock changes the case of the key.
    const key = event.key.toLowerCase();
    if (key === 'c' && isRunning && !hasSelection) session.stop();
    else if (key === 'l') session.clear();
    else return;
    event.preventDefault();
  });
  return (
    <div ref={frame} className={styles.terminal}>
      <div className={styles.bar}>
        {hasTitle && <h2 className={styles.title}>{t('title')}</h2>}
        <span className={styles.state} role="status">
          {isRunning && t('running')}
        </span>
        {isRunning && (
          <Button size="small" icon={<Square />} onClick={() => session.stop()}>
            {t('stop')}
          </Button>
        )}
        <IconButton
          size="small"
          label={t('clear')}
          shortcut="Ctrl+L"
          icon={<Eraser />}
          onClick={() => session.clear()}
        />
        {hasTitle && (
          <IconButton size="small" label={t('close')} shortcut="Ctrl+`" icon={<X />} onClick={onClose} />
        )}
      </div>
      <Scroller>{runs.length === 0 ? <Hint allowed={allowed} /> : <TerminalOutput runs={runs} />}</Scroller>
      <form className={styles.form} onSubmit={submit}>
        <span className={styles.folder} dir="ltr" aria-hidden="true">
          <bdi>{displayName(nameOf(folder)) || '/'}</bdi>
          <span className={styles.sign}>›</span>
        </span>
        <textarea
          ref={input}
          rows={Math.min(line.split('\n').length, maxInputLines)}
          className={styles.input}
          dir="ltr"
          aria-label={t('command', { folder })}
          placeholder={isRunning ? undefined : t('placeholder')}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          value={line}
          disabled={isRunning}
          onChange={(event) => setLine(event.target.value)}
          onKeyDown={onInputKey}
        />
      </form>
    </div>
  );
}

/** Lists the allowed programs until the first command has run. */
function Hint({ allowed }: { allowed: readonly string[] }) {
  const { t } = useTranslation('commands');
  if (allowed.length === 0) return <p className={styles.hint}>{t('noneAllowed')}</p>;
  return (
    <div className={styles.hint}>
      <p>{t('allowed')}</p>
      <ul className={styles.programs} dir="ltr">
        {allowed.map((program) => (
          <li key={program}>{program}</li>
        ))}
      </ul>
    </div>
  );
}

/** Follows the output at the end, unless the user has scrolled up. */
function Scroller({ children }: { children: ReactNode }) {
  const { t } = useTranslation('commands');
  const box = useRef<HTMLDivElement>(null);
  const isScrollable = useScrollable(box);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return (
    <div
      ref={box}
      className={styles.scroller}
      role="log"
      aria-label={t('output')}
      {...(isScrollable && { tabIndex: 0 })}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      <div>{children}</div>
    </div>
  );
}

/** Returns the focus to the command line after a command has ended, if the focus was in the panel. */
function useFocusAfterRun(
  isRunning: boolean,
  input: { current: HTMLTextAreaElement | null },
  frame: { current: HTMLElement | null },
): void {
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    const { activeElement } = document;
    const isFocusInside = activeElement === document.body || frame.current?.contains(activeElement);
    if (isFocusInside && isRunning) frame.current?.querySelector('button')?.focus();
    if (isFocusInside && wasRunning.current && !isRunning) input.current?.focus();
    wasRunning.current = isRunning;
  }, [isRunning, input, frame]);
}

/** The typed line, which the session keeps while the terminal moves between the panel and the dialog. */
function useDraft(session: ShellSession): [string, (line: string) => void] {
  const [line, setLine] = useState(session.draft);
  const change = (next: string) => {
    session.setDraft(next);
    setLine(next);
  };
  return [line, change];
}
