import type { LetterCase } from '@filestead/contract/match-rules';
import type { Rule } from '@filestead/contract/rules';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { CircleAlert, Eye, EyeOff } from '../../../ui/icons.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { pathOfText } from '../../../ui/fields/typed-path.ts';
import { type RuleEvaluation, evaluatePath } from './evaluate-path.ts';
import styles from './rules-editor.module.css';

const icons = { visible: <Eye />, hidden: <EyeOff />, depends: <CircleAlert /> };

/** A field that tests whether the rules allow a path. */
export function RuleTest({
  before,
  rules,
  letterCase,
}: {
  before: readonly Rule[];
  rules: readonly Rule[];
  /** The comparison of letter case in names by the server's file systems. */
  letterCase: LetterCase;
}) {
  const { t } = useTranslation('users');
  const [text, setText] = useState('');
  const path = text.trim() === '' ? null : pathOfText(text);
  const evaluation = path === null ? null : evaluatePath([...before, ...rules], path, letterCase);
  const reason = ({ decidedBy }: RuleEvaluation): string => {
    if (decidedBy === null) return t('rules.decidedByNone');
    if (decidedBy < before.length) return t('rules.decidedByGlobal');
    return t('rules.decidedBy', { number: formatNumber(decidedBy - before.length + 1) });
  };
  return (
    <div className={styles.test} data-compact="">
      <TextField
        label={t('rules.test')}
        dir="ltr"
        className={styles.code}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="/a/b"
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
        errorMessage={text.trim() !== '' && path === null ? t('rules.wrongPath') : undefined}
      />
      <p className={styles.outcome} role="status" data-outcome={evaluation?.outcome}>
        {evaluation && (
          <>
            {icons[evaluation.outcome]}
            {evaluation.outcome === 'depends' ? (
              <span>{t('rules.depends')}</span>
            ) : (
              <span>
                <strong>{t(`rules.${evaluation.outcome}`)}</strong> {reason(evaluation)}
              </span>
            )}
          </>
        )}
      </p>
    </div>
  );
}
