import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useLatch } from '../../ui/hooks/use-latch.ts';
import { holdTyping } from '../../ui/keyboard/hold-typing.ts';
import { onFirstInput, preloadOverlays } from '../../ui/overlays/preload-overlays.ts';
import { useTagPrompt } from '../marks/tag-prompt-store.ts';
import type { PaletteCommand } from '../palette/palette-command.ts';
import { useFrameKeys } from './use-frame-keys.ts';

const HelpDialog = lazyWithTexts(
  async () => (await import('./help-dialog.tsx')).HelpDialog,
  'palette',
  'files',
  'previews',
  'editor',
);
const CommandPalette = lazyWithTexts(
  async () => (await import('../palette/command-palette.tsx')).CommandPalette,
  'palette',
  'settings',
);
const TagPrompt = lazyWithTexts(async () => (await import('../marks/tag-prompt.tsx')).TagPrompt, 'marks');

/** The commands that a screen adds to the palette. */
export interface PaletteParts {
  /** Returns the commands that this screen adds to the palette, called when the palette opens. */
  commands?: (() => readonly PaletteCommand[]) | undefined;
  /** The folder whose actions are in the palette. */
  folderScreen?: FolderScreen | undefined;
  /** Opens a folder whose path is typed in the palette. */
  onOpenTyped?: ((folder: VirtualPath) => void) | undefined;
}

interface FrameDialogs {
  readonly showHelp: () => void;
  readonly showPalette: () => void;
  readonly dialogs: ReactNode;
}

const noCommands = (): readonly PaletteCommand[] => [];

/** The dialogs that every screen has: the help, the command palette and the tags of entries, fetched when they are first opened. */
export function useFrameDialogs({
  commands = noCommands,
  folderScreen,
  onOpenTyped,
}: PaletteParts): FrameDialogs {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const wasHelpOpened = useLatch(isHelpOpen);
  const wasTagPromptOpened = useTagPrompt(({ opening }) => opening > 0);
  const showHelp = useCallback(() => setHelpOpen(true), []);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const wasPaletteOpened = useLatch(isPaletteOpen);
  const showPalette = useCallback(() => setPaletteOpen(true), []);
  useEffect(() => (isPaletteOpen ? holdTyping() : undefined), [isPaletteOpen]);
  useFrameKeys({ onHelp: showHelp, onPalette: showPalette });
  // The code of menus and dialogs follows the first input, so that the page itself loads quickly.
  useEffect(() => onFirstInput(preloadOverlays), []);
  const dialogs = (
    <>
      {wasTagPromptOpened && (
        <Suspense fallback={null}>
          <TagPrompt />
        </Suspense>
      )}
      {wasHelpOpened && (
        <Suspense fallback={null}>
          <HelpDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} onPalette={showPalette} />
        </Suspense>
      )}
      {wasPaletteOpened && (
        <Suspense fallback={null}>
          <CommandPalette
            isOpen={isPaletteOpen}
            onClose={() => setPaletteOpen(false)}
            onHelp={showHelp}
            getCommands={commands}
            folderScreen={folderScreen}
            onOpenTyped={onOpenTyped}
          />
        </Suspense>
      )}
    </>
  );
  return { showHelp, showPalette, dialogs };
}
