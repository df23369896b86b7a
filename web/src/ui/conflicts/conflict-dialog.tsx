import { useState, type ReactNode } from 'react';
import { formatDate, formatDateExact } from '../../i18n/format.ts';
import { Button } from '../buttons/button.tsx';
import { Checkbox } from '../fields/checkbox.tsx';
import styles from './conflict-dialog.module.css';
import { Dialog } from '../overlays/dialog.tsx';
import { Tooltip } from '../overlays/tooltip.tsx';

/** A text, optionally with a gray note beside it, or a date in Unix milliseconds. */
type ConflictDialogLine =
  | string
  | { readonly text: string; readonly note?: string }
  | { readonly atMs: number };

/** One of the two conflicting entries. */
export interface ConflictDialogSide {
  readonly heading: string;
  /** A label beside the heading that distinguishes this side, such as "Newer". */
  readonly badge?: string | undefined;
  /** An icon or a thumbnail. */
  readonly picture: ReactNode;
  /** The metadata of the entry, one item per line. */
  readonly lines: readonly ConflictDialogLine[];
}

export interface ConflictDialogChoice<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly variant: 'primary' | 'secondary' | 'quiet' | 'danger';
  /** Content at the start of the footer, apart from the choices. */
  readonly isAside?: boolean | undefined;
  /** The effect of the choice, in a tooltip. */
  readonly hint?: string | undefined;
}

export interface ConflictDialogProps<Id extends string> {
  title: string;
  isOpen: boolean;
  /** The effect of the choices. Title and text change with the next conflict, so they are announced. */
  text: string;
  /** In the order in which they are shown. */
  sides: readonly [ConflictDialogSide, ConflictDialogSide];
  /**
   * The suggested choice first: Enter chooses it, and it is shown last, at the position of a dialog's main button.
   */
  choices: readonly ConflictDialogChoice<Id>[];
  /** The number of further conflicts that the same choice could resolve, and the label of that box. */
  remaining: { readonly count: number; readonly label: string };
  /** `forAll` if the choice applies to the remaining conflicts too. */
  onChoose: (id: Id, forAll: boolean) => void;
  onClose: () => void;
}

/** Asks how to resolve a conflict between two entries, with both in view. */
export function ConflictDialog<Id extends string>(props: ConflictDialogProps<Id>) {
  const { title, isOpen, text, sides, choices, remaining, onChoose, onClose } = props;
  const [isForAll, setIsForAll] = useState(false);
  const choose = (id: Id) => {
    setIsForAll(false);
    onChoose(id, isForAll && remaining.count > 0);
  };
  const close = () => {
    setIsForAll(false);
    onClose();
  };
  const [main, ...others] = choices;
  const inOrder = [
    ...others.filter(({ isAside }) => isAside),
    ...others.filter(({ isAside }) => !isAside).toReversed(),
  ];
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={close}
      size="large"
      onSubmit={() => main && choose(main.id)}
      footer={
        <>
          {inOrder.map((choice) => (
            <ChoiceButton key={choice.id} choice={choice} onChoose={choose} />
          ))}
          {main && <ChoiceButton choice={main} isMain onChoose={choose} />}
        </>
      }
    >
      <div className={styles.sides}>
        <Side side={sides[0]} />
        <Side side={sides[1]} />
      </div>
      <p className={styles.text} aria-live="polite">
        <span className="visually-hidden">{`${title} `}</span>
        {text}
      </p>
      {remaining.count > 0 && (
        <Checkbox className={styles.remaining} isSelected={isForAll} onChange={setIsForAll}>
          {remaining.label}
        </Checkbox>
      )}
    </Dialog>
  );
}

interface ChoiceButtonProps<Id extends string> {
  choice: ConflictDialogChoice<Id>;
  /** Whether Enter chooses it anywhere in the dialog. */
  isMain?: boolean;
  onChoose: (id: Id) => void;
}

function ChoiceButton<Id extends string>({ choice, isMain, onChoose }: ChoiceButtonProps<Id>) {
  const button = isMain ? (
    <Button variant={choice.variant} autoFocus type="submit">
      {choice.label}
    </Button>
  ) : (
    <Button
      variant={choice.variant}
      className={choice.isAside ? styles.aside : undefined}
      onClick={() => onChoose(choice.id)}
    >
      {choice.label}
    </Button>
  );
  return choice.hint === undefined ? button : <Tooltip text={choice.hint}>{button}</Tooltip>;
}

function Side({ side: { heading, badge, picture, lines } }: { side: ConflictDialogSide }) {
  return (
    <div className={styles.side}>
      <div className={styles.heading}>{heading}</div>
      {picture}
      <div className={styles.metadata}>
        {lines.map((line, index) => (
          <div key={keyOf(line)} className={styles.line}>
            <Line line={line} />
            {badge !== undefined && index === lines.length - 1 && (
              <span className={styles.badge}>{badge}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

const keyOf = (line: ConflictDialogLine): string =>
  typeof line === 'string' ? line : 'atMs' in line ? String(line.atMs) : line.text;

function Line({ line }: { line: ConflictDialogLine }) {
  if (typeof line === 'string') return line;
  if ('atMs' in line) return <DateText atMs={line.atMs} />;
  return (
    <>
      <span className={styles.size}>{line.text}</span>
      {line.note !== undefined && <bdi>{line.note}</bdi>}
    </>
  );
}

function DateText({ atMs }: { atMs: number }) {
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formatDateExact(atMs)}>
      {formatDate(atMs)}
    </time>
  );
}
