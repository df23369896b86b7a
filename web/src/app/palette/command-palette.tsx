import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Search } from '../../ui/icons.ts';
import { holdTyping } from '../../ui/keyboard/hold-typing.ts';
import { Kbd } from '../../ui/keyboard/kbd.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import styles from './command-palette.module.css';
import { folderPaletteCommands, folderOfTypedPath } from './folder-palette.ts';
import { findCommands, type CommandMatch } from './find-commands.ts';
import { useGeneralCommands } from './general-commands.ts';
import type { PaletteCommand } from './palette-command.ts';

/** Delay until the previous element has the focus again, in ms: a command may move it further. */
const focusReturnsMs = 50;

interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
  onHelp: () => void;
  /** Returns the commands that the screen currently offers. */
  getCommands: () => readonly PaletteCommand[];
  /** The folder whose actions are offered. */
  folderScreen?: FolderScreen | undefined;
  /** Opens a folder whose path was typed. */
  onOpenTyped?: ((folder: VirtualPath) => void) | undefined;
}

/** The command palette, which finds all available commands by name. */
export function CommandPalette(props: CommandPaletteProps) {
  const { t } = useTranslation('palette');
  return (
    <Dialog title={t('title')} isOpen={props.isOpen} onClose={props.onClose} size="large" isFlush>
      <Palette {...props} />
    </Dialog>
  );
}

function Palette({ onClose, onHelp, getCommands, folderScreen, onOpenTyped }: CommandPaletteProps) {
  const { t } = useTranslation('palette');
  const [query, setQuery] = useState('');
  const [chosenAt, setChosenAt] = useState(0);
  const general = useGeneralCommands(onHelp);
  const [available] = useState(() => [
    ...getCommands(),
    ...(folderScreen === undefined ? [] : folderPaletteCommands(folderScreen)),
  ]);
  const matches = useMemo(
    () => [
      ...(onOpenTyped === undefined ? [] : folderOfTypedPath(query, onOpenTyped)).map(toMatch),
      ...findCommands(query, [...available, ...general]),
    ],
    [query, available, general, onOpenTyped],
  );
  const at = Math.min(chosenAt, matches.length - 1);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const run = useRunAfterwards();
  const choose = (command: PaletteCommand | undefined) => {
    if (!command) return;
    run(command.run);
    onClose();
  };
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') choose(matches[at]?.command);
    else if (event.key === 'ArrowDown') setChosenAt((at + 1) % Math.max(1, matches.length));
    else if (event.key === 'ArrowUp') setChosenAt((at + matches.length - 1) % Math.max(1, matches.length));
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.palette}>
      <div className={styles.header}>
        <TextField
          label={t('field')}
          isLabelHidden
          size="large"
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={t('placeholder')}
          icon={<Search />}
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={matches[at] ? `${id}-${at}` : undefined}
          value={query}
          onChange={(next) => {
            setQuery(next);
            setChosenAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label={t('list')} className={styles.list}>
        {matches.map(({ command, parts }, index) => (
          // The field keeps the focus and handles the keys; the pointer chooses here.
          <button
            type="button"
            tabIndex={-1}
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.option}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setChosenAt(index)}
            onClick={() => choose(command)}
          >
            <span className={styles.label}>
              {parts.map(({ text, isMarked, from }) =>
                isMarked ? <mark key={from}>{text}</mark> : <span key={from}>{text}</span>,
              )}
            </span>
            <span className={styles.group}>{command.group}</span>
            {command.shortcut !== undefined && <Kbd shortcut={command.shortcut} />}
          </button>
        ))}
      </div>
      <p role="status" className={matches.length === 0 ? styles.none : 'visually-hidden'}>
        {matches.length === 0 ? t('none', { query: query.trim() }) : ''}
      </p>
    </div>
  );
}

const toMatch = (command: PaletteCommand): CommandMatch => ({
  command,
  parts: [{ text: command.label, isMarked: false, from: 0 }],
});

/**
 * Runs the chosen command after the palette has closed, so that the focus is where the command expects it. What is typed until then
 * is held for a field that the command shows.
 */
function useRunAfterwards(): (run: () => void) => void {
  const chosen = useRef<(() => void) | null>(null);
  useEffect(
    () => () => {
      const run = chosen.current;
      chosen.current = null;
      if (run) setTimeout(run, focusReturnsMs);
    },
    [],
  );
  return (run) => {
    const release = holdTyping();
    chosen.current = () => {
      run();
      // A field that the command shows has taken what was typed by now.
      setTimeout(release);
    };
  };
}
