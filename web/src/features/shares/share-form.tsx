import { maxShareDuration } from '@filestead/contract/values/limits';
import { createShare, shareUnits, type Share, type ShareUnit } from '@filestead/contract/shares';
import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { call } from '../../api/call.ts';
import { formatNumber } from '../../i18n/format.ts';
import { Select } from '../../ui/fields/select.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import styles from './share-form.module.css';
import {
  initialDuration,
  isEndless,
  isValidAmount,
  quickDurations,
  type DurationInput,
} from './share-duration.ts';
import type { ShareTarget } from './share-target.ts';
import { shareFailureText } from './share-texts.ts';

/** The state of the form and its submission. */
interface ShareFormState {
  readonly duration: DurationInput;
  readonly setDuration: (duration: DurationInput) => void;
  readonly password: string;
  readonly setPassword: (password: string) => void;
  readonly isPending: boolean;
  readonly failure: string | null;
  readonly submit: () => Promise<void>;
  readonly reset: () => void;
}

/** The state of the form of a new share of `target`; `onCreated` is called with the created share. */
export function useShareForm(target: ShareTarget, onCreated: (share: Share) => void): ShareFormState {
  const [duration, setDuration] = useState<DurationInput>(() => initialDuration());
  const [password, setPassword] = useState('');
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const reset = () => {
    setDuration(initialDuration());
    setPassword('');
    setFailure(null);
  };
  const submit = async () => {
    if (isPending || !isValidAmount(duration.amount)) return;
    setPending(true);
    setFailure(null);
    const trimmed = password.trim();
    try {
      const share = await call(createShare, {
        path: target.path,
        isFolder: target.isFolder,
        body: {
          ...(trimmed !== '' && { password: trimmed }),
          ...(!isEndless(duration) && { expires: duration.amount.trim(), unit: duration.unit }),
        },
      });
      reset();
      onCreated(share);
    } catch (error) {
      setFailure(shareFailureText(error));
    } finally {
      setPending(false);
    }
  };
  return { duration, setDuration, password, setPassword, isPending, failure, submit, reset };
}

/** The duration and the password of a new share. */
export function ShareForm({ form, isFolder }: { form: ShareFormState; isFolder: boolean }) {
  const { t } = useTranslation('shares');
  const { duration, setDuration } = form;
  return (
    <div className={styles.form}>
      <p className={styles.intro}>{t(isFolder ? 'form.introFolder' : 'form.introFile')}</p>
      <fieldset className={styles.duration}>
        <legend className={styles.legend}>{t('form.duration')}</legend>
        <div className={styles.quick}>
          {quickDurations.map(({ id, duration: choice }) => (
            <label key={id} className={styles.chip}>
              <input
                type="radio"
                name="quick-duration"
                className="visually-hidden"
                checked={isSame(duration, choice)}
                onChange={() => setDuration(choice)}
              />
              {t(`form.quick.${id}`)}
            </label>
          ))}
        </div>
        <div className={styles.exact}>
          <TextField
            label={t('form.amount')}
            value={duration.amount}
            inputMode="numeric"
            autoComplete="off"
            maxLength={String(maxShareDuration).length + 2}
            placeholder={t('form.noEnd')}
            errorMessage={
              isValidAmount(duration.amount)
                ? undefined
                : t('form.badAmount', { max: formatNumber(maxShareDuration) })
            }
            onChange={(amount) => setDuration({ ...duration, amount })}
          />
          <Select<ShareUnit>
            label={t('form.unit')}
            value={duration.unit}
            onChange={(unit) => setDuration({ ...duration, unit })}
            options={shareUnits.map((unit) => ({ value: unit, label: t(`form.units.${unit}`) }))}
          />
        </div>
      </fieldset>
      <TextField
        label={t('form.password')}
        type="password"
        value={form.password}
        autoComplete="new-password"
        maxLength={1024}
        description={t('form.passwordHint')}
        onChange={form.setPassword}
      />
      <div role="alert" className={styles.failure}>
        {form.failure}
      </div>
    </div>
  );
}

/** Whether the typed duration is one of the quick choices; without an expiry the unit is irrelevant. */
const isSame = (one: DurationInput, other: DurationInput): boolean =>
  isEndless(one)
    ? isEndless(other) && isValidAmount(one.amount)
    : one.amount.trim() === other.amount && one.unit === other.unit;
