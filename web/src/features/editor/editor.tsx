import { editorThemeOf } from '@filestead/contract/values/editor-themes';
import type { Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useIsDark } from '../../styles/theme.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { useKeyWithin } from '../../ui/hooks/use-key-within.ts';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { Download, X } from '../../ui/icons.ts';
import { areSingleKeysOn } from '../../ui/keyboard/single-keys.ts';
import type { CodeView } from './code-view.ts';
import { EditorBar } from './editor-bar.tsx';
import { ChangedDialog, LeaveDialog } from './editor-dialogs.tsx';
import { FailureAlert, ReadOnlyNotice } from './editor-notices.tsx';
import { EditorTitle } from './editor-title.tsx';
import { saveSettings, loadSettings, type EditorSettings } from './editor-settings.ts';
import styles from './editor.module.css';
import type { FileText } from './document/line-endings.ts';
import { palettes } from './palettes.ts';
import { PreviewPane } from './preview-pane.tsx';
import { StatusLine } from './status-line.tsx';
import { TouchBar } from './touch-bar.tsx';
import { useCodeView } from './use-code-view.ts';
import { useDocument } from './document/use-document.ts';

export interface EditorProps {
  path: VirtualPath;
  resource: Pick<Resource, 'name' | 'type' | 'size' | 'content'>;
  /** The ETag that came with the resource, or null. */
  version: string | null;
  /** Whether the user has the permission to modify files. */
  canModify: boolean;
  onClose: () => void;
  /** The stored name of the chosen theme; empty for the colors of the page. */
  theme?: string | undefined;
  /** Saves another theme in the user's settings. */
  onTheme?: ((theme: string) => Promise<void>) | undefined;
  /** Absent without the permission to download. */
  onDownload?: (() => void) | undefined;
  onSaved?: (() => void) | undefined;
  /** Called after the text was saved as another file. Absent without the permission to create files. */
  onSavedAs?: ((path: VirtualPath) => void) | undefined;
  /** Renders the text, such as Markdown; absent for texts without a rendered form. */
  renderPreview?: ((text: string) => ReactNode) | undefined;
  /** Whether `renderPreview` renders a table, which is then shown by default. */
  isTable?: boolean | undefined;
  /** Whether the text is rendered for reading when it is opened, instead of the text itself. */
  opensRendered?: boolean | undefined;
}

/** Shows a text file over the whole window. Use the path as `key`, since each file needs its own editor. */
export function Editor(props: EditorProps) {
  const { resource, onClose, onDownload } = props;
  const { t } = useTranslation('editor');
  const isWithheld = resource.content === undefined && resource.size > 0;
  if (!isWithheld) return <OpenEditor {...props} />;
  return (
    <section ref={takeFocus} className={styles.editor} aria-label={resource.name} data-cover="" tabIndex={-1}>
      <div className={styles.bar}>
        <IconButton label={t('close')} icon={<X />} onClick={onClose} />
        <EditorTitle name={resource.name} isDirty={false} />
        {onDownload && <IconButton label={t('download')} icon={<Download />} onClick={onDownload} />}
      </div>
      <p className={styles.withheld}>{t('withheld')}</p>
    </section>
  );
}

/** Focuses the editor, so that the page behind it receives no keys even when the file cannot be shown. */
const takeFocus = (editor: HTMLElement | null): void => editor?.focus({ preventScroll: true });

/** Settings of the editor, kept in this browser. */
function useEditorSettings(code: RefObject<CodeView | null>) {
  const [settings, setSettings] = useState(loadSettings);
  const changeSettings = (next: EditorSettings) => {
    setSettings(next);
    saveSettings(next);
    code.current?.apply(next);
  };
  return { settings, changeSettings };
}

/** Whether a text can be changed, and whether a copy in UTF-8 would help where it cannot. */
function accessOf({ resource, canModify, onSavedAs }: EditorProps) {
  // A text that is read-only in spite of the permission to modify is in another encoding.
  const isUtf8 = resource.type === 'text' || !canModify;
  return {
    isReadOnly: resource.type !== 'text' || !canModify,
    isUtf8,
    // Characters that could not be decoded would be lost in a copy.
    canCopyAsUtf8: !isUtf8 && onSavedAs !== undefined && !(resource.content ?? '').includes('\uFFFD'),
  };
}

/** The chosen colors, or those of the page. */
function useEditorColors(stored: string | undefined) {
  const isPageDark = useIsDark();
  const theme = editorThemeOf(stored ?? '');
  const palette = theme && palettes[theme];
  return { theme, palette, isDark: palette?.isDark ?? isPageDark };
}

/** Escape closes the editor, and Ctrl+S or ⌘S saves. Returns the handler of the latter, for the editor's frame. */
function useEditorKeys(
  frame: RefObject<HTMLElement | null>,
  { onClose, onSave }: { onClose: () => void; onSave: (() => void) | undefined },
) {
  useKeyWithin(frame, true, (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    onClose();
  });
  return (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    event.stopPropagation();
    onSave?.();
  };
}

/** The rendered form beside the text. On a narrow screen it covers the text, so actions on the text close it. */
function useTextPreview(
  { isTable, renderPreview }: Pick<EditorProps, 'isTable' | 'renderPreview'>,
  code: RefObject<CodeView | null>,
  { settings, changeSettings }: ReturnType<typeof useEditorSettings>,
) {
  const isNarrow = useMediaQuery('(width < 900px)');
  const setting = isTable === true ? 'isTableShown' : 'isPreviewShown';
  const toggle = () => changeSettings({ ...settings, [setting]: !settings[setting] });
  const isShown = renderPreview !== undefined && settings[setting];
  const isTextCovered = isShown && isNarrow;
  const inText = (act: (view: CodeView) => void) => {
    if (isTextCovered) flushSync(toggle);
    if (code.current) act(code.current);
  };
  return { isShown, toggle, isTextCovered, inText };
}

/** The rendered text in place of the text itself, until the user edits it by a button or the key E. */
function useReading(
  {
    opensRendered,
    renderPreview,
    resource,
  }: Pick<EditorProps, 'opensRendered' | 'renderPreview' | 'resource'>,
  frame: RefObject<HTMLElement | null>,
  code: RefObject<CodeView | null>,
) {
  const [isReading, setReading] = useState(
    () => opensRendered === true && renderPreview !== undefined && resource.size > 0,
  );
  const edit = () => {
    // The text has to be visible to take the focus.
    flushSync(() => setReading(false));
    code.current?.view.focus();
  };
  useKeyWithin(frame, isReading, (event) => {
    if (event.key.toLowerCase() !== 'e' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!areSingleKeysOn()) return;
    event.preventDefault();
    edit();
  });
  return { isReading, edit };
}

/** The dialogs about unsaved changes, and about a file that has changed on the server. */
function DocumentDialogs(props: {
  name: string;
  opened: ReturnType<typeof useDocument>;
  canSaveCopy: boolean;
}) {
  const { name, opened, canSaveCopy } = props;
  const { session, state, pendingLeave, save, reload, saveAsCopy } = opened;
  return (
    <>
      <LeaveDialog name={name} pending={pendingLeave} isSaving={state.isSaving} onSave={() => save()} />
      <ChangedDialog
        name={name}
        isOpen={state.problem?.kind === 'conflict'}
        onSaveCopy={canSaveCopy ? () => void saveAsCopy() : undefined}
        onOverwrite={() => void save({ overwrite: true })}
        onReload={() => void reload()}
        onKeepEditing={() => session.dismissProblem()}
      />
    </>
  );
}

function OpenEditor(props: EditorProps) {
  const { resource, onClose, onDownload, onSavedAs, onTheme, renderPreview } = props;
  const { name } = resource;
  const { t } = useTranslation('editor');
  const { isReadOnly, isUtf8, canCopyAsUtf8 } = accessOf(props);
  const colors = useEditorColors(props.theme);
  const frame = useRef<HTMLElement>(null);
  const code = useRef<CodeView | null>(null);
  const preview = useRef<HTMLElement>(null);
  const hintId = useId();
  const isTouch = useMediaQuery('(pointer: coarse)');
  const editorSettings = useEditorSettings(code);
  const { settings } = editorSettings;
  const opened = useDocument(props, code);
  const { text, setText, session, state, didReloadFail, save, saveAsCopy } = opened;
  const onChange = (changed: FileText) => {
    session.change(changed);
    setText(changed);
  };
  const { host, caret, language } = useCodeView(
    code,
    { text, name, isReadOnly, settings, describedBy: hintId, onChange, preview },
    colors,
  );
  const onSave = isReadOnly ? undefined : () => void save();
  const onKeyDown = useEditorKeys(frame, { onClose, onSave });
  const { isTextCovered, inText, ...textPreview } = useTextPreview(props, code, editorSettings);
  const { isReading, edit } = useReading(props, frame, code);
  useEffect(() => {
    // The text, which takes the focus otherwise, is hidden.
    if (isReading) preview.current?.focus({ preventScroll: true });
  }, [isReading]);
  const saveTheme = (chosen: string) =>
    onTheme?.(chosen).catch(() => showToast({ tone: 'error', message: t('colorsNotSaved') }));

  return (
    <section
      ref={frame}
      className={styles.editor}
      aria-label={name}
      data-cover=""
      tabIndex={-1}
      onKeyDownCapture={onKeyDown}
    >
      <EditorBar
        name={name}
        state={state}
        onClose={onClose}
        onSearch={isReading ? undefined : () => inText((view) => view.openSearch())}
        preview={isReading ? undefined : renderPreview && textPreview}
        reading={isReading ? { edit, isReadOnly } : undefined}
        onDownload={onDownload}
        onSave={onSave}
      />
      {isReadOnly && !isReading && (
        <ReadOnlyNotice isUtf8={isUtf8} onSaveCopy={canCopyAsUtf8 ? () => void saveAsCopy() : undefined} />
      )}
      <FailureAlert problem={state.problem} didReloadFail={didReloadFail} />
      <p id={hintId} hidden>
        {t('keyHint')}
      </p>
      <div
        className={styles.work}
        data-preview={textPreview.isShown || undefined}
        data-reading={isReading || undefined}
      >
        <div ref={host} className={styles.text} dir="ltr" />
        {renderPreview && (textPreview.isShown || isReading) && (
          <PreviewPane ref={preview} text={text} render={renderPreview} />
        )}
      </div>
      {isTouch && !isTextCovered && !isReading && (
        <TouchBar code={() => code.current} isReadOnly={isReadOnly} />
      )}
      {!isReading && (
        <StatusLine
          language={language}
          form={text.form}
          isUtf8={isUtf8}
          caret={caret}
          settings={settings}
          onSettings={editorSettings.changeSettings}
          theme={colors.theme}
          onTheme={onTheme && ((chosen) => void saveTheme(chosen))}
          onGoToLine={() => inText((view) => view.openGoToLine())}
        />
      )}
      <DocumentDialogs name={name} opened={opened} canSaveCopy={onSavedAs !== undefined} />
    </section>
  );
}
