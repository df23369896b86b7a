import { memo, type CSSProperties } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { formatNumber } from '../../i18n/format.ts';
import { plain, type AnsiStyle, type Span } from './ansi.ts';
import type { CommandRun, Line, LineGroup } from './shell-session.ts';
import styles from './terminal.module.css';

const panelColor = 'var(--stage)';
const textColor = 'var(--text)';

function toCss(style: AnsiStyle): CSSProperties | undefined {
  const { color, background, isBold, isDim, isItalic, isUnderlined, isStruck, isInverse, isHidden } = style;
  const css: CSSProperties = {};
  if (color !== undefined) css.color = color;
  if (background !== undefined) css.background = background;
  // Text without a color of its own has to be legible on any background.
  if (background !== undefined && color === undefined) css.color = panelColor;
  if (isInverse) {
    css.color = background ?? panelColor;
    css.background = color ?? textColor;
  }
  if (isBold) css.fontWeight = 700;
  if (isDim) css.opacity = 0.7;
  if (isItalic) css.fontStyle = 'italic';
  if (isUnderlined || isStruck) {
    css.textDecoration = [isUnderlined && 'underline', isStruck && 'line-through'].filter(Boolean).join(' ');
  }
  if (isHidden) css.visibility = 'hidden';
  return Object.keys(css).length === 0 ? undefined : css;
}

/** Merges adjacent spans of the same style over several lines. `start` identifies each. */
function mergeSpans(lines: readonly Line[]): { start: number; span: Span }[] {
  const all: { start: number; text: string; style: AnsiStyle }[] = [];
  let start = 0;
  const add = (text: string, style: AnsiStyle): void => {
    const last = all.at(-1);
    if (last?.style === style) last.text += text;
    else all.push({ start, text, style });
    start += text.length;
  };
  for (const { spans } of lines) {
    for (const { text, style } of spans) add(text, style);
    add('\n', spans.at(-1)?.style ?? plain);
  }
  return all.map(({ start: at, ...span }) => ({ start: at, span }));
}

const Lines = memo(function Lines({ group }: { group: LineGroup }) {
  return mergeSpans(group.lines).map(({ start, span: { text, style } }) =>
    style === plain ? (
      text
    ) : (
      <span key={start} style={toCss(style)}>
        {text}
      </span>
    ),
  );
});

const Run = memo(function Run({ run }: { run: CommandRun }) {
  const { t } = useTranslation('commands');
  const { folder, line, groups, droppedLines, state } = run;
  return (
    <div className={styles.run}>
      <div className={styles.entered} dir="ltr">
        <bdi className={styles.workingFolder}>{folder}</bdi>
        <span className={styles.sign} aria-hidden="true">
          {' › '}
        </span>
        {line}
      </div>
      {droppedLines > 0 && (
        <p className={styles.note}>
          {t('dropped', { count: droppedLines, number: formatNumber(droppedLines) })}
        </p>
      )}
      <div dir="ltr">
        {groups.map((group) => (
          <div key={group.id} className={styles.group}>
            <Lines group={group} />
          </div>
        ))}
      </div>
      {state === 'stopped' && <p className={styles.note}>{t('stopped')}</p>}
      {state === 'lost' && <p className={styles.problem}>{t('lost')}</p>}
      {state === 'unreachable' && <p className={styles.problem}>{t('unreachable')}</p>}
    </div>
  );
});

/** Renders all commands with their output. */
export function TerminalOutput({ runs }: { runs: readonly CommandRun[] }) {
  return runs.map((run) => <Run key={run.id} run={run} />);
}
