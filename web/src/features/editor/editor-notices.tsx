import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Save } from '../../ui/icons.ts';
import type { SaveProblem } from './document/edit-session.ts';
import styles from './editor.module.css';

/** Shows why a text is read-only, and offers a copy in UTF-8 where that helps. */
export function ReadOnlyNotice(props: {
  isUtf8: boolean;
  /** Absent where a copy cannot be created. */
  onSaveCopy: (() => void) | undefined;
}) {
  const { t } = useTranslation('editor');
  return (
    <p className={styles.notice}>
      {props.isUtf8 ? t('readOnly.permission') : t('readOnly.encoding')}
      {props.onSaveCopy && (
        <Button size="small" variant="quiet" icon={<Save />} onClick={props.onSaveCopy}>
          {t('conflict.saveCopy')} <bdi>(UTF-8)</bdi>
        </Button>
      )}
    </p>
  );
}

/** Reports that saving or loading failed. */
export function FailureAlert(props: { problem: SaveProblem | null; didReloadFail: boolean }) {
  const { t } = useTranslation('editor');
  return (
    <div role="alert" className={styles.alert}>
      {props.problem?.kind === 'failed' && saveFailureText(props.problem, t)}
      {props.didReloadFail && t('reloadFailed')}
    </div>
  );
}

type Translate = ReturnType<typeof useTranslation<'editor'>>['t'];

const codesWithText = [
  'deniedBySystem',
  'forbidden',
  'no_connection',
  'not_found',
  'not_signed_in',
  'payload_too_large',
  'readOnlyDisk',
  'storage_full',
] as const;

const saveFailureText = (problem: Extract<SaveProblem, { kind: 'failed' }>, t: Translate): string =>
  t(`failed.${codesWithText.find((code) => code === problem.code) ?? 'general'}`);
