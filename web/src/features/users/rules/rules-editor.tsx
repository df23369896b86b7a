import type { LetterCase } from '@filestead/contract/match-rules';
import type { Rule } from '@filestead/contract/rules';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Plus } from '../../../ui/icons.ts';
import { textOfRule } from './evaluate-path.ts';
import { RuleRow } from './rule-row.tsx';
import { RuleTest } from './rule-test.tsx';
import styles from './rules-editor.module.css';
import { useRowDrag } from './use-row-drag.ts';

export interface RulesEditorProps {
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
  /** Rules that are evaluated before these: the global ones, if these belong to a user. */
  before?: readonly Rule[] | undefined;
  /** The server's message about a refused rule: the rule's text, a colon, the reason. */
  refusal?: string | undefined;
  /** The comparison of letter case in names by the server's file systems. */
  letterCase: LetterCase;
}

const noRules: readonly Rule[] = [];

/** Rows are identified by their rule; an edited rule passes its key on. */
const keys = new WeakMap<Rule, number>();
let lastKey = 0;
function keyOf(rule: Rule): number {
  const key = keys.get(rule) ?? ++lastKey;
  keys.set(rule, key);
  return key;
}

const isRefused = (rule: Rule, refusal: string | undefined): boolean =>
  refusal !== undefined && textOfRule(rule) !== '' && refusal.startsWith(`${textOfRule(rule)}: `);

/** The editor of a list of rules, with a test for a path. */
export function RulesEditor({ rules, onChange, before = noRules, refusal, letterCase }: RulesEditorProps) {
  const { t } = useTranslation('users');
  const rows = useRef(new Map<number, HTMLLIElement>());
  const addButton = useRef<HTMLButtonElement>(null);
  /** The element that gets the focus once it is rendered. */
  const nextFocus = useRef<{ key: number; selector: string } | null>(null);
  const [announcement, setAnnouncement] = useState('');

  useEffect(() => {
    const focus = nextFocus.current;
    if (focus === null) return;
    nextFocus.current = null;
    const row = rows.current.get(focus.key);
    const target = row?.querySelector<HTMLElement>(focus.selector);
    const other = row?.querySelector<HTMLElement>('[data-move]:enabled');
    (target?.matches(':enabled') ? target : other)?.focus();
  });

  const replace = (index: number, next: Rule) => {
    const old = rules[index];
    if (old) keys.set(next, keyOf(old));
    onChange(rules.map((rule, position) => (position === index ? next : rule)));
  };
  const move = (from: number, to: number) => {
    const next = [...rules];
    const [moved] = next.splice(from, 1);
    if (moved === undefined || to < 0 || to > next.length) return;
    next.splice(to, 0, moved);
    onChange(next);
    setAnnouncement(t('rules.moved', { number: formatNumber(to + 1) }));
  };
  const drag = useRowDrag((index) => {
    const rule = rules[index];
    return rule && rows.current.get(keyOf(rule));
  }, move);
  const add = () => {
    const rule: Rule = { allow: true, regex: false, path: '', regexp: { raw: '' } };
    onChange([...rules, rule]);
    nextFocus.current = { key: keyOf(rule), selector: 'input' };
  };
  const remove = (index: number) => {
    const next = rules.filter((_, position) => position !== index);
    onChange(next);
    const neighbor = next[Math.min(index, next.length - 1)];
    if (neighbor) nextFocus.current = { key: keyOf(neighbor), selector: 'input' };
    else addButton.current?.focus();
  };

  return (
    <div className={styles.editor}>
      {rules.length === 0 ? (
        <p className={styles.none}>{t('rules.none')}</p>
      ) : (
        <ol className={styles.list} aria-label={t('rules.list')}>
          {rules.map((rule, index) => {
            const key = keyOf(rule);
            return (
              <RuleRow
                key={key}
                ref={(row) => {
                  if (row === null) rows.current.delete(key);
                  else rows.current.set(key, row);
                }}
                rule={rule}
                number={index + 1}
                isLast={index === rules.length - 1}
                isDragged={drag.dragged === index}
                isRefused={isRefused(rule, refusal)}
                onChange={(next) => replace(index, next)}
                onDelete={() => remove(index)}
                onMove={(step) => {
                  move(index, index + step);
                  nextFocus.current = { key, selector: `[data-move="${step}"]` };
                }}
                onGrip={(event) => drag.start(index, event)}
              />
            );
          })}
        </ol>
      )}
      {rules.some(({ regex }) => regex) && <p className={styles.hint}>{t('rules.patternHint')}</p>}
      <Button ref={addButton} icon={<Plus />} onClick={add}>
        {t('rules.add')}
      </Button>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {rules.length + before.length > 0 && <RuleTest before={before} rules={rules} letterCase={letterCase} />}
    </div>
  );
}
