import type { Version } from '@filestead/contract/endpoints/versions';
import { useEffect, useState, type ReactNode } from 'react';
import { isAbort } from '../../api/call.ts';
import { pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../ui/names/file-kind.ts';
import { diffLines, foldEqualLines } from './line-diff.ts';
import {
  loadPresentText,
  loadVersionText,
  maxComparedBytes,
  presentState,
  stateOf,
} from './load-versions.ts';
import styles from './version-preview.module.css';
import type { FileState, VersionedFile, VersionsHost } from './versions-host.ts';

interface VersionPreviewProps {
  file: VersionedFile;
  /** Null for the current state. */
  version: Version | null;
  host: VersionsHost;
}

const isText = ({ type, size }: FileState): boolean =>
  ['text', 'textImmutable'].includes(type) && size <= maxComparedBytes;

/** Shows the selected state of a file: a picture, a text with its differences to the current one, or another preview. */
export function VersionPreview({ file, version, host }: VersionPreviewProps) {
  const { t } = useTranslation('versions');
  const state = version === null ? presentState(file) : stateOf(version);
  if (!host.can.download) return <Card state={state}>{t('preview.forbidden')}</Card>;
  if (state.size === 0) return <Card state={state}>{t('preview.empty')}</Card>;
  if (state.type === 'image') return <Picture key={state.url} state={state} />;
  if (isText(state)) return <TextState key={state.url} file={file} version={version} />;
  if (['audio', 'video', 'pdf'].includes(state.type)) {
    return (
      <div key={state.url} className={styles.stage}>
        {host.renderPreview(state)}
      </div>
    );
  }
  return <Card state={state}>{t('preview.none')}</Card>;
}

function Card({ state, children }: { state: FileState; children: ReactNode }) {
  return (
    <div className={styles.card}>
      <FileIcon
        kind={fileKind({ ...state, isFolder: false })}
        size={72}
        extension={lowerCaseExtension(state.name)}
      />
      <p>{children}</p>
    </div>
  );
}

function Picture({ state }: { state: FileState }) {
  const { t } = useTranslation('versions');
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Card state={state}>{t('preview.none')}</Card>;
  return <img className={styles.picture} src={state.pictureUrl} alt="" onError={() => setBroken(true)} />;
}

/** The loaded texts. */
interface Texts {
  readonly selected: string;
  /** Null for the current state, which is not compared. */
  readonly present: string | null;
}

function TextState({ file, version }: Pick<VersionPreviewProps, 'file' | 'version'>) {
  const { t } = useTranslation('versions');
  const [texts, setTexts] = useState<Texts | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [view, setView] = useState<'changes' | 'text'>('changes');
  const isCompared = version !== null && file.size <= maxComparedBytes;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const load = async (): Promise<Texts> => {
      if (version === null) return { selected: await loadPresentText(file, signal), present: null };
      const [selected, present] = await Promise.all([
        loadVersionText(version, signal),
        isCompared ? loadPresentText(file, signal) : null,
      ]);
      return { selected, present };
    };
    load().then(setTexts, (error: unknown) => {
      if (!isAbort(error) && !signal.aborted) setFailed(true);
    });
    return () => controller.abort();
  }, [file, version, isCompared]);
  const state = version === null ? presentState(file) : stateOf(version);
  if (hasFailed) return <Card state={state}>{t('preview.failed')}</Card>;
  if (texts === null) {
    return (
      <p className={styles.waiting} role="status">
        {t('preview.loading')}
      </p>
    );
  }
  const { selected, present } = texts;
  return (
    <div className={styles.textState}>
      {present !== null && (
        <SegmentedControl
          label={t('preview.view')}
          value={view}
          onChange={setView}
          options={[
            { value: 'changes', label: t('preview.changes') },
            { value: 'text', label: t('preview.text') },
          ]}
        />
      )}
      {present !== null && view === 'changes' ? (
        <Changes former={selected} present={present} />
      ) : (
        <pre className={styles.text} dir="auto" {...focusable}>
          {selected}
        </pre>
      )}
    </div>
  );
}

/** Makes a scrolled area focusable, so that it can be scrolled with the keyboard. */
const focusable = { tabIndex: 0 } as const;

const signs = { same: ' ', removed: '−', added: '+' } as const;

function Changes({ former, present }: { former: string; present: string }) {
  const { t } = useTranslation('versions');
  const parts = foldEqualLines(diffLines(former, present));
  if (parts.every((part) => part.kind === 'hidden' || part.lines.every(({ kind }) => kind === 'same')))
    return <p className={styles.waiting}>{t('preview.equal')}</p>;
  return (
    // As in the editor, the signs are on the left and each line has the direction of its own characters.
    <div className={styles.changes} role="region" aria-label={t('preview.changes')} dir="ltr" {...focusable}>
      {parts.map((part) =>
        part.kind === 'hidden' ? (
          <p key={part.position} className={styles.hidden}>
            {t('preview.equalLines', pluralValues(part.count))}
          </p>
        ) : (
          part.lines.map(({ kind, text, position }) => (
            <div key={position} className={styles.line} data-kind={kind}>
              <span className={styles.sign} aria-hidden="true">
                {signs[kind]}
              </span>
              {kind !== 'same' && (
                <span className="visually-hidden">
                  {t(kind === 'removed' ? 'preview.removed' : 'preview.added')}
                </span>
              )}
              <span className={styles.lineText} dir="auto">
                {text}
              </span>
            </div>
          ))
        ),
      )}
    </div>
  );
}
