import type { Share, ShareUpdate } from '@filestead/contract/shares';
import { useId, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { SegmentedControl } from '../../../ui/fields/segmented-control.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Copy } from '../../../ui/icons.ts';
import { expiryChoices, expiryChoiceOf, localTimeText, secondsUntil, type ExpiryChoice } from './expiry.ts';
import styles from './share-dialog.module.css';
import { suggestPassword } from './suggest-password.ts';
import { useTypedOption, type TypedOption } from './use-typed-option.ts';

interface ShareOptionsProps {
  share: Share;
  /** Saves options at once. Resolves to whether they were saved. */
  onSave: (options: ShareUpdate) => Promise<boolean>;
  /** Saves what has been typed and not saved yet. */
  ref: Ref<{ commit: () => Promise<void> }>;
}

/** The expiry and the password of a share, each saved at once. */
export function ShareOptions({ share, onSave, ref }: ShareOptionsProps) {
  const [choice, setChoice] = useState<ExpiryChoice>(() => expiryChoiceOf(share));
  const [hasPassword, setHasPassword] = useState(share.hasPassword);
  const date = useTypedOption('', async (text) => {
    const seconds = secondsUntil(text);
    return seconds !== null && onSave({ expires: seconds, unit: 'seconds' });
  });
  const password = useTypedOption('', async (text) =>
    text.trim() === '' ? false : onSave({ password: text.trim() }),
  );
  useImperativeHandle(ref, () => ({
    commit: async () => {
      await date.commit();
      await password.commit();
    },
  }));
  const choose = async (next: ExpiryChoice) => {
    const before = choice;
    setChoice(next);
    if (next === 'date') {
      date.reset();
      // A permanent share gets a first date, which is shown and saved at once.
      if (share.expire === 0 && !(await onSave({ expires: 14, unit: 'days' }))) setChoice(before);
      return;
    }
    if (!(await onSave(expiryChoices[next]))) setChoice(before);
  };
  const switchPassword = async (isOn: boolean) => {
    setHasPassword(isOn);
    if (!isOn) {
      password.reset();
      if (share.hasPassword && !(await onSave({ password: '' }))) setHasPassword(true);
      return;
    }
    const suggestion = suggestPassword();
    password.set(suggestion);
    if (!(await password.commit())) setHasPassword(false);
  };
  return (
    <div>
      <ExpiryOption share={share} choice={choice} date={date} onChoose={(next) => void choose(next)} />
      <PasswordOption
        isOn={hasPassword}
        isStored={share.hasPassword}
        password={password}
        onSwitch={(isOn) => void switchPassword(isOn)}
      />
    </div>
  );
}

interface ExpiryOptionProps {
  share: Share;
  choice: ExpiryChoice;
  date: TypedOption;
  onChoose: (choice: ExpiryChoice) => void;
}

function ExpiryOption({ share, choice, date, onChoose }: ExpiryOptionProps) {
  const { t } = useTranslation('shares');
  const shown = date.isTyped ? date.text : share.expire === 0 ? '' : localTimeText(share.expire * 1000);
  const isPast = date.isTyped && date.text !== '' && secondsUntil(date.text) === null;
  return (
    <div className={styles.option}>
      <div className={styles.optionTexts}>{t('form.expires')}</div>
      <div className={styles.controls}>
        <SegmentedControl<ExpiryChoice>
          label={t('form.expires')}
          value={choice}
          onChange={onChoose}
          options={[
            { value: 'never', label: t('form.quick.never') },
            { value: 'week', label: t('form.quick.week') },
            { value: 'month', label: t('form.quick.month') },
            { value: 'date', label: t('form.quick.date') },
          ]}
        />
        {choice === 'date' && (
          <TextField
            className={styles.date}
            label={t('form.date')}
            isLabelHidden
            type="datetime-local"
            min={localTimeText()}
            value={shown}
            onChange={date.set}
            onBlur={() => void date.commit()}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void date.commit();
            }}
            errorMessage={isPast ? t('form.past') : undefined}
          />
        )}
      </div>
    </div>
  );
}

interface PasswordOptionProps {
  isOn: boolean;
  /** Whether the server has a password for the share. */
  isStored: boolean;
  password: TypedOption;
  onSwitch: (isOn: boolean) => void;
}

function PasswordOption({ isOn, isStored, password, onSwitch }: PasswordOptionProps) {
  const { t } = useTranslation('shares');
  const hintId = useId();
  const field = useRef<HTMLInputElement>(null);
  const copyPassword = async () => {
    if (await copyText(password.text)) {
      showToast({ tone: 'success', message: t('form.passwordCopied') });
      return;
    }
    field.current?.focus();
    field.current?.select();
  };
  return (
    <div className={styles.option}>
      <div className={styles.optionTexts}>
        {t('form.password')}
        <span id={hintId} className={styles.hint}>
          {t('form.passwordHint')}
        </span>
      </div>
      <div className={styles.controls}>
        {isOn && (
          <TextField
            ref={field}
            className={styles.password}
            label={t('form.passwordField')}
            isLabelHidden
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={1024}
            placeholder={isStored ? t('form.passwordSet') : undefined}
            value={password.text}
            onChange={password.set}
            onBlur={() => void password.commit()}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void password.commit();
            }}
            end={
              password.text !== '' && (
                <IconButton
                  size="small"
                  label={t('form.copyPassword')}
                  icon={<Copy />}
                  onClick={() => void copyPassword()}
                />
              )
            }
          />
        )}
        <Switch aria-label={t('form.password')} isSelected={isOn} onChange={onSwitch} />
      </div>
    </div>
  );
}
