import type { Rule } from '@filestead/contract/rules';
import type { PointerEvent, Ref } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from '../../../ui/icons.ts';
import { Select } from '../../../ui/fields/select.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { pathOfText } from '../../../ui/fields/typed-path.ts';
import { textOfRule } from './evaluate-path.ts';
import styles from './rules-editor.module.css';

export interface RuleRowProps {
  rule: Rule;
  /** Counted from 1. */
  number: number;
  isLast: boolean;
  isDragged: boolean;
  /** The server has refused the rule. */
  isRefused: boolean;
  onChange: (rule: Rule) => void;
  onDelete: () => void;
  onMove: (step: -1 | 1) => void;
  onGrip: (event: PointerEvent<HTMLElement>) => void;
  ref: Ref<HTMLLIElement>;
}

/** One rule: allow or deny, a path or a pattern, and its position in the list. */
export function RuleRow({
  rule,
  number,
  isLast,
  isDragged,
  isRefused,
  onChange,
  ref,
  ...callbacks
}: RuleRowProps) {
  const { t } = useTranslation('users');
  const position = { number: formatNumber(number) };
  const text = textOfRule(rule);
  const setText = (next: string) =>
    onChange(rule.regex ? { ...rule, regexp: { raw: next } } : { ...rule, path: next });
  // The typed text is kept when the kind changes.
  const setKind = (kind: 'path' | 'pattern') =>
    onChange({
      ...rule,
      regex: kind === 'pattern',
      path: kind === 'path' ? text : '',
      regexp: { raw: kind === 'pattern' ? text : '' },
    });
  const isWrongPath = !rule.regex && (pathOfText(text) === null || isRefused);
  const error = isWrongPath
    ? t('rules.wrongPath')
    : rule.regex && isRefused
      ? t('rules.wrongPattern')
      : undefined;
  return (
    <li
      ref={ref}
      className={styles.row}
      data-dragged={isDragged || undefined}
      aria-label={t('rules.rule', position)}
    >
      <span
        className={styles.grip}
        title={t('rules.drag')}
        aria-hidden="true"
        onPointerDown={callbacks.onGrip}
      >
        <GripVertical />
      </span>
      <div className={styles.choice}>
        <Select
          label={t('rules.effect', position)}
          isLabelHidden
          value={rule.allow ? 'allow' : 'deny'}
          onChange={(effect) => onChange({ ...rule, allow: effect === 'allow' })}
          options={[
            { value: 'allow', label: t('rules.allow') },
            { value: 'deny', label: t('rules.deny') },
          ]}
        />
      </div>
      <div className={styles.choice}>
        <Select
          label={t('rules.kind', position)}
          isLabelHidden
          value={rule.regex ? 'pattern' : 'path'}
          onChange={setKind}
          options={[
            { value: 'path', label: t('rules.path') },
            { value: 'pattern', label: t('rules.pattern') },
          ]}
        />
      </div>
      <div className={styles.text}>
        <TextField
          label={t(rule.regex ? 'rules.patternOf' : 'rules.pathOf', position)}
          isLabelHidden
          dir="ltr"
          className={styles.code}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t(rule.regex ? 'rules.patternPlaceholder' : 'rules.pathPlaceholder')}
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            // Enter does nothing here, so that no incomplete rule is saved by accident (docs/reference/behaviour.md
            // §5).
            if (event.key === 'Enter') event.preventDefault();
          }}
          errorMessage={error}
        />
      </div>
      <div className={styles.buttons}>
        <IconButton
          data-move="-1"
          size="small"
          label={t('rules.up', position)}
          icon={<ArrowUp />}
          isDisabled={number === 1}
          onClick={() => callbacks.onMove(-1)}
        />
        <IconButton
          data-move="1"
          size="small"
          label={t('rules.down', position)}
          icon={<ArrowDown />}
          isDisabled={isLast}
          onClick={() => callbacks.onMove(1)}
        />
        <IconButton
          size="small"
          label={t('rules.delete', position)}
          icon={<Trash2 />}
          onClick={() => callbacks.onDelete()}
        />
      </div>
    </li>
  );
}
