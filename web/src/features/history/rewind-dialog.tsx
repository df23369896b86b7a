import type { RewindReport, RewindRequest } from '@filestead/contract/endpoints/operations';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { isAbort, isApiError } from '../../api/call.ts';
import { pluralValues } from '../../i18n/format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useOpeningCount } from '../../ui/overlays/use-opening-count.ts';
import type { HistoryHost } from './history-host.ts';
import styles from './rewind-dialog.module.css';

/** The delay after a change of the form before the changes are counted, in ms. */
const countDelayMs = 400;
const hourMs = 3_600_000;

interface RewindDialogProps {
  isOpen: boolean;
  /** The folder that is shown first. */
  below: string;
  /** The names of users whose changes are listed, for administrators. */
  usernames: readonly string[];
  host: HistoryHost;
  onClose: () => void;
}

/** Formats a time as the value of a `datetime-local` field, in the time zone of the browser. */
function toFieldTime(atMs: number): string {
  const local = new Date(atMs - new Date(atMs).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Asks for a folder and a time, counts the changes that would be undone, and undoes them. */
export function RewindDialog(props: RewindDialogProps) {
  const openings = useOpeningCount(props.isOpen);
  // Each opening begins with the initial values.
  return openings > 0 && <RewindForm key={openings} {...props} />;
}

type Count = { readonly for: string } & ({ readonly report: RewindReport } | { readonly error: unknown });

function RewindForm({ isOpen, below: start, usernames, host, onClose }: RewindDialogProps) {
  const { t } = useTranslation('history');
  const [below, setBelow] = useState(start === '' ? '/' : start);
  const [latest] = useState(() => toFieldTime(Date.now()));
  const [since, setSince] = useState(() => toFieldTime(Date.now() - hourMs));
  const [by, setBy] = useState<string>('');
  const [count, setCount] = useState<Count | null>(null);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const request = requestOf(below, since, by);
  const key = !isOpen || request === null ? '' : JSON.stringify(request);
  useEffect(() => {
    if (key === '') return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      host.countRewind(JSON.parse(key) as RewindRequest, controller.signal).then(
        (report) => setCount({ for: key, report }),
        (error: unknown) => {
          if (!isAbort(error) && !controller.signal.aborted) setCount({ for: key, error });
        },
      );
    }, countDelayMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, host]);
  const current = count?.for === key && key !== '' ? count : null;
  const report = current && 'report' in current ? current.report : null;
  const undone = report?.undone ?? 0;
  const confirm = async () => {
    if (request === null || undone === 0) return;
    setPending(true);
    setFailure(null);
    try {
      await host.rewind(request);
      onClose();
    } catch (error) {
      setFailure(error);
      setPending(false);
    }
  };
  return (
    <Dialog
      title={t('rewind.title')}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => void confirm()}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" type="submit" isPending={isPending} isDisabled={undone === 0}>
            {undone === 0 ? t('rewind.confirmNone') : t('rewind.confirm', pluralValues(undone))}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p className={styles.text}>{t('rewind.text')}</p>
        <TextField
          label={t('rewind.folder')}
          value={below}
          onChange={setBelow}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          errorMessage={below.startsWith('/') ? undefined : t('rewind.folderInvalid')}
        />
        <TextField
          label={t('rewind.since')}
          type="datetime-local"
          value={since}
          max={latest}
          onChange={setSince}
        />
        {host.isAdministrator && (
          <Select
            label={t('rewind.by')}
            value={by}
            onChange={setBy}
            options={[
              { value: '', label: t('rewind.everyone') },
              ...usernames.map((name) => ({ value: name, label: name })),
            ]}
          />
        )}
        <p className={styles.count} role="status">
          {countText(t, current, host)}
        </p>
        <div role="alert" className={styles.error}>
          {failure !== null && host.reasonOf(failure)}
        </div>
      </div>
    </Dialog>
  );
}

/** Returns the request of the fields; null while one of them is invalid. */
function requestOf(below: string, since: string, by: string): RewindRequest | null {
  const time = new Date(since);
  if (!below.startsWith('/') || Number.isNaN(time.getTime())) return null;
  return { below, since: time.toISOString(), ...(by !== '' && { by }) };
}

type Translate = ReturnType<typeof useTranslation<'history'>>['t'];

/** Returns the text with the number of changes that would be undone, and of those that would not. */
function countText(t: Translate, current: Count | null, host: HistoryHost): string {
  if (current === null) return t('rewind.counting');
  if ('error' in current)
    return isApiError(current.error, 'bad_request') ? t('rewind.invalid') : host.reasonOf(current.error);
  const { total, undone } = current.report;
  if (total === 0) return t('rewind.nothing');
  const staying = total - undone;
  const all = t('rewind.count', pluralValues(total));
  return staying === 0 ? all : `${all} ${t('rewind.staying', pluralValues(staying))}`;
}
