import { editorThemeOf } from '@filestead/contract/values/editor-themes';
import type { Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../../i18n/format.ts';
import { useIsDark } from '../../styles/theme.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { Columns2, Download, Save, Search, X } from '../../ui/icons.ts';
import { CodeView } from './code-view.ts';
import { EditSession, type SaveProblem } from './edit-session.ts';
import { ChangedDialog, LeaveDialog } from './editor-dialogs.tsx';
import { EditorTitle } from './editor-title.tsx';
import { keepSettings, loadSettings, type EditorSettings } from './editor-settings.ts';
import styles from './editor.module.css';
import { paint, palettes } from './palettes.ts';
import { PreviewPane } from './preview-pane.tsx';
import { saveCopy } from './save-copy.ts';
import { composeText, parseText, type FileText } from './line-endings.ts';
import { searchPhrases } from './search-phrases.ts';
import { StatusLine } from './status-line.tsx';
import { TouchBar } from './touch-bar.tsx';
import { readTextFile, saveTextFile } from './text-file.ts';
import { useLeaveGuard } from '../../ui/navigation/use-leave-guard.ts';
import { useKeyWithin } from '../../ui/hooks/use-key-within.ts';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';

export interface EditorProps {
  path: VirtualPath;
  resource: Pick<Resource, 'name' | 'type' | 'size' | 'content'>;
  /** The ETag that came with the resource, or null. */
  version: string | null;
  /** Whether the user has the permission to modify files. */
  canModify: boolean;
  onClose: () => void;
  /** The stored name of the chosen theme; empty for the colours of the page. */
  theme?: string | undefined;
  /** Saves another theme in the user's settings. */
  onTheme?: ((theme: string) => Promise<void>) | undefined;
  /** Absent without the permission. */
  onDownload?: (() => void) | undefined;
  onSaved?: (() => void) | undefined;
  /** Called after the text was saved as another file. Absent without the permission to create files. */
  onSavedAs?: ((path: VirtualPath) => void) | undefined;
  /** Renders the text, such as Markdown; absent for texts without a rendered form. */
  renderPreview?: ((text: string) => ReactNode) | undefined;
  /** Whether `renderPreview` renders a table, which is then shown by default. */
  isTable?: boolean | undefined;
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

const isSameText = (first: FileText, second: FileText): boolean => first.doc.eq(second.doc);

function OpenEditor(props: EditorProps) {
  const { path, resource, version, canModify, onClose, onDownload, onSaved, onSavedAs, renderPreview } =
    props;
  const { t } = useTranslation('editor');
  const { name } = resource;
  const isReadOnly = resource.type !== 'text' || !canModify;
  // With the permission to modify, a text is read-only only because of its encoding.
  const isUtf8 = resource.type === 'text' || !canModify;
  // Characters that could not be decoded would be lost in a copy.
  const canCopyAsUtf8 = !isUtf8 && onSavedAs && !(resource.content ?? '').includes('\uFFFD');
  const theme = editorThemeOf(props.theme ?? '');
  const palette = theme && palettes[theme];
  const isPageDark = useIsDark();
  const isDark = palette?.isDark ?? isPageDark;
  const frame = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const code = useRef<CodeView | null>(null);
  const preview = useRef<HTMLElement>(null);
  const hintId = useId();
  const isTouch = useMediaQuery('(pointer: coarse)');
  const isNarrow = useMediaQuery('(width < 900px)');
  const [text, setText] = useState(() => parseText(resource.content ?? ''));
  const [session] = useState(
    () =>
      new EditSession<FileText>({
        doc: text,
        version,
        isEqual: isSameText,
        save: (current, ifVersion) => saveTextFile(path, composeText(current), ifVersion),
      }),
  );
  const state = useSyncExternalStore(session.subscribe, session.getSnapshot);
  const [settings, setSettings] = useState(loadSettings);
  const [caret, setCaret] = useState({ line: 1, column: 1 });
  const [language, setLanguage] = useState<string | null>(null);
  const [didReloadFail, setDidReloadFail] = useState(false);
  const [copy, setCopy] = useState<VirtualPath | null>(null);
  const pendingLeave = useLeaveGuard(state.isDirty);
  // Called only after the guard has registered that nothing is unsaved.
  useEffect(() => {
    if (copy !== null && !state.isDirty) onSavedAs?.(copy);
  }, [copy, state.isDirty, onSavedAs]);

  const start = useRef({ text, name, isReadOnly, isDark, settings, t, describedBy: hintId });
  useEffect(() => {
    if (!host.current) return undefined;
    const { t: translate, ...options } = start.current;
    const view = new CodeView({
      ...options,
      parent: host.current,
      label: translate('text', { name: options.name }),
      phrases: searchPhrases(translate),
      onChange: (changed) => {
        session.change(changed);
        setText(changed);
      },
      onCaret: (line, column) => setCaret({ line, column }),
      onLanguage: setLanguage,
      onScroll: () => scrollAlong(preview.current, view.scrolled),
    });
    code.current = view;
    view.view.focus();
    return () => {
      code.current = null;
      view.close();
    };
  }, [session]);
  useEffect(() => code.current?.applyDark(isDark), [isDark]);
  useEffect(() => {
    if (host.current) paint(host.current, palette);
  }, [palette]);

  const save = async (options?: { overwrite: boolean }) => {
    const isSaved = await session.save(options);
    if (isSaved) onSaved?.();
    return isSaved;
  };
  const reload = async () => {
    try {
      const file = await readTextFile(path);
      const reloaded = parseText(file.content);
      code.current?.replace(reloaded);
      session.reload(reloaded, file.version);
      setText(reloaded);
      setDidReloadFail(false);
    } catch {
      session.dismissProblem();
      setDidReloadFail(true);
    }
  };
  const saveAsCopy = async () => {
    session.dismissProblem();
    try {
      const saved = await saveCopy(path, composeText(text));
      session.reload(text, version);
      setCopy(saved);
    } catch (error) {
      session.fail(error);
    }
  };
  const changeSettings = (next: EditorSettings) => {
    setSettings(next);
    keepSettings(next);
    code.current?.apply(next);
  };
  useKeyWithin(frame, true, (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    onClose();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    event.stopPropagation();
    if (!isReadOnly) void save();
  };

  const { onTheme } = props;
  const keepTheme = (chosen: string) =>
    onTheme?.(chosen).catch(() => showToast({ tone: 'error', message: t('coloursNotSaved') }));

  const previewSwitch = props.isTable === true ? 'isTableShown' : 'isPreviewShown';
  const isPreviewShown = renderPreview !== undefined && settings[previewSwitch];

  // On a narrow screen the preview covers the text, so it closes for actions on the text.
  const isTextCovered = isPreviewShown && isNarrow;
  const inText = (act: (view: CodeView) => void) => {
    if (isTextCovered) {
      flushSync(() => changeSettings({ ...settings, [previewSwitch]: false }));
    }
    if (code.current) act(code.current);
  };

  return (
    <section
      ref={frame}
      className={styles.editor}
      aria-label={name}
      data-cover=""
      tabIndex={-1}
      onKeyDownCapture={onKeyDown}
    >
      <div className={styles.bar}>
        <IconButton label={t('close')} icon={<X />} onClick={onClose} />
        <EditorTitle name={name} isDirty={state.isDirty} />
        <span className={styles.state} role="status">
          {state.isSaving
            ? t('saving')
            : state.isDirty
              ? ''
              : state.savedMs !== null && t('saved', { time: formatTime(state.savedMs) })}
        </span>
        <div className={styles.actions}>
          <IconButton
            label={t('find')}
            shortcut="Mod+F"
            icon={<Search />}
            onClick={() => inText((view) => view.openSearch())}
          />
          {renderPreview && (
            <IconButton
              label={t('preview.show')}
              icon={<Columns2 />}
              isPressed={settings[previewSwitch]}
              onClick={() => changeSettings({ ...settings, [previewSwitch]: !settings[previewSwitch] })}
            />
          )}
          {onDownload && <IconButton label={t('download')} icon={<Download />} onClick={onDownload} />}
          {!isReadOnly && (
            <Button
              variant="primary"
              icon={<Save />}
              isDisabled={!state.isDirty && !state.isSaving}
              isPending={state.isSaving}
              aria-keyshortcuts="Control+S Meta+S"
              onClick={() => void save()}
            >
              {t('save')}
            </Button>
          )}
        </div>
      </div>
      {isReadOnly && (
        <p className={styles.notice}>
          {isUtf8 ? t('readOnly.permission') : t('readOnly.encoding')}
          {canCopyAsUtf8 && (
            <Button size="small" variant="quiet" icon={<Save />} onClick={() => void saveAsCopy()}>
              {t('conflict.saveCopy')} <bdi>(UTF-8)</bdi>
            </Button>
          )}
        </p>
      )}
      <div role="alert" className={styles.alert}>
        {state.problem?.kind === 'failed' && failureText(state.problem, t)}
        {didReloadFail && t('reloadFailed')}
      </div>
      <p id={hintId} hidden>
        {t('keyHint')}
      </p>
      <div className={styles.work} data-preview={isPreviewShown || undefined}>
        <div ref={host} className={styles.text} dir="ltr" />
        {isPreviewShown && <PreviewPane ref={preview} text={text} render={renderPreview} />}
      </div>
      {isTouch && !isTextCovered && <TouchBar code={() => code.current} isReadOnly={isReadOnly} />}
      <StatusLine
        language={language}
        form={text.form}
        isUtf8={isUtf8}
        caret={caret}
        settings={settings}
        onSettings={changeSettings}
        theme={theme}
        onTheme={onTheme && ((chosen) => void keepTheme(chosen))}
        onGoToLine={() => inText((view) => view.openGoToLine())}
      />
      <LeaveDialog name={name} pending={pendingLeave} isSaving={state.isSaving} onSave={() => save()} />
      <ChangedDialog
        name={name}
        isOpen={state.problem?.kind === 'conflict'}
        onSaveCopy={onSavedAs && (() => void saveAsCopy())}
        onOverwrite={() => void save({ overwrite: true })}
        onReload={() => void reload()}
        onKeepEditing={() => session.dismissProblem()}
      />
    </section>
  );
}

/** Scrolls a pane to the same fraction as the text beside it. */
function scrollAlong(pane: HTMLElement | null, scrolled: number): void {
  if (pane) pane.scrollTop = scrolled * (pane.scrollHeight - pane.clientHeight);
}

type Translate = ReturnType<typeof useTranslation<'editor'>>['t'];

const explained = [
  'forbidden',
  'no_connection',
  'not_found',
  'not_signed_in',
  'payload_too_large',
  'storage_full',
] as const;

const failureText = (problem: Extract<SaveProblem, { kind: 'failed' }>, t: Translate): string =>
  t(`failed.${explained.find((known) => known === problem.code) ?? 'general'}`);
