import { memo, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../i18n/format.ts';
import type { AnsiStyle, Span } from './ansi.ts';
import type { CommandRun, LineGroup } from './shell-session.ts';
import styles from './terminal.module.css';

const ground = 'var(--stage)';
const ink = 'var(--text)';

function cssOf(style: AnsiStyle): CSSProperties | undefined {
  const { color, background, isBold, isDim, isItalic, isUnderlined, isStruck, isInverse, isHidden } = style;
  const css: CSSProperties = {};
  if (color !== undefined) css.color = color;
  if (background !== undefined) css.background = background;
  // Text of no colour of its own has to be seen on any ground.
  if (background !== undefined && color === undefined) css.color = ground;
  if (isInverse) {
    css.color = background ?? ground;
    css.background = color ?? ink;
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

/** The pieces with what tells them apart: where they begin. */
function placed(spans: readonly Span[]): { start: number; span: Span }[] {
  let start = 0;
  return spans.map((span) => {
    const here = { start, span };
    start += span.text.length;
    return here;
  });
}

const Lines = memo(function Lines({ group }: { group: LineGroup }) {
  return group.lines.map(({ id, spans }) => (
    <div key={id} className={styles.line}>
      {placed(spans).map(({ start, span: { text, style } }) => (
        <span key={start} style={cssOf(style)}>
          {text}
        </span>
      ))}
    </div>
  ));
});

const Run = memo(function Run({ run }: { run: CommandRun }) {
  const { t } = useTranslation('commands');
  const { folder, line, groups, droppedLines, state } = run;
  return (
    <div className={styles.run}>
      <div className={styles.entered} dir="ltr">
        <bdi className={styles.place}>{folder}</bdi>
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
      <div className={styles.lines} dir="ltr">
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

/** Everything that was run, with what it printed. */
export function TerminalOutput({ runs }: { runs: readonly CommandRun[] }) {
  return runs.map((run) => <Run key={run.id} run={run} />);
}
