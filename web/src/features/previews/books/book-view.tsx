import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatNumber, formatPercent } from '../../../i18n/format.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { AArrowDown, AArrowUp, ChevronLeft, ChevronRight } from '../../../ui/icons.ts';
import { Select } from '../../../ui/fields/select.tsx';
import { contentId } from '../loading/content-id.ts';
import { CleanedDocument } from '../html/cleaned-document.tsx';
import { loadBytes } from '../loading/load-bytes.ts';
import { LoadedDocument, type DocumentViewProps } from '../loading/loaded-document.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ScrollArea } from '../scroll-area.tsx';
import styles from './book-view.module.css';
import { readBook, type Book } from './read-book.ts';
import { loadFontSize, readingSizes, saveFontSize } from './reading-position.ts';
import { partOfLink, renderPart } from './render-part.ts';
import { useReading, type Reading } from './use-reading.ts';

/** Maximum size of a book that is loaded. */
const limitBytes = 100 * 1024 * 1024;

/** Shows a book, one part at a time. The reading position is remembered in this browser. */
export function BookView({ url, name, size, renderProblem }: DocumentViewProps) {
  const load = useCallback(
    async (signal: AbortSignal) => readBook(await loadBytes(url, { signal, limitBytes }), signal),
    [url],
  );
  const loaded = useLoaded(load);
  return (
    <LoadedDocument loaded={loaded} name={name} renderProblem={renderProblem}>
      {(book) => <BookPages book={book} id={contentId(url, size)} name={name} />}
    </LoadedDocument>
  );
}

function BookPages({ book, id, name }: { book: Book; id: string; name: string }) {
  const { t } = useTranslation('previews');
  const [size, setSize] = useState(loadFontSize);
  const reading = useReading(book, id);
  const { part, showPart, showAnchor } = reading;
  // The object URLs of a part's images are revoked when the part changes.
  const rendered = useMemo(() => renderPart(book, part), [book, part]);
  useEffect(() => rendered.release, [rendered]);
  const follow = useCallback(
    (href: string) => {
      const target = partOfLink(href);
      if (target) showAnchor(target);
    },
    [showAnchor],
  );
  const changeSize = (next: number) => {
    setSize(next);
    saveFontSize(next);
  };
  return (
    <div className={styles.view}>
      <BookBar book={book} reading={reading} size={size} onSize={changeSize} />
      <ScrollArea
        boxRef={reading.scroller}
        className={styles.scroller}
        label={book.title || name}
        dir={book.isRightToLeft ? 'rtl' : undefined}
        style={{ fontSize: `${size}%` }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight } }) =>
          reading.saveFraction(scrollHeight > 0 ? scrollTop / scrollHeight : 0)
        }
      >
        <CleanedDocument
          key={part}
          className={styles.text}
          fragment={rendered.fragment}
          lang={book.language || undefined}
          onFollow={follow}
        />
        {part < book.parts.length - 1 && (
          <div className={styles.end}>
            <IconButton label={t('book.next')} icon={<ChevronRight />} onClick={() => showPart(part + 1)} />
          </div>
        )}
      </ScrollArea>
    </div>
  );
}

interface BookBarProps {
  book: Book;
  reading: Reading;
  /** The font size in percent. */
  size: number;
  onSize: (size: number) => void;
}

/** The bar above a book: turns the parts, shows the contents and changes the font size. */
function BookBar({ book, reading, size, onSize }: BookBarProps) {
  const { t } = useTranslation('previews');
  const { part, showPart, showAnchor } = reading;
  const last = book.contents.findLast((entry) => entry.part <= part);
  const current = book.contents.find((entry) => entry.part === last?.part);
  const resize = (change: 1 | -1) => {
    const next = readingSizes[readingSizes.findIndex((one) => one === size) + change];
    if (next !== undefined) onSize(next);
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('book.tools')}>
      <IconButton
        label={t('book.previous')}
        icon={<ChevronLeft />}
        isDisabled={part === 0}
        onClick={() => showPart(part - 1)}
      />
      <span className={styles.position} role="status">
        {t('position', { position: formatNumber(part + 1), total: formatNumber(book.parts.length) })}
      </span>
      <IconButton
        label={t('book.next')}
        icon={<ChevronRight />}
        isDisabled={part === book.parts.length - 1}
        onClick={() => showPart(part + 1)}
      />
      {book.contents.length > 0 && (
        <div className={styles.contents}>
          <Select
            label={t('book.contents')}
            isLabelHidden
            placeholder={t('book.contents')}
            value={current ? String(book.contents.indexOf(current)) : null}
            onChange={(chosen) => {
              const entry = book.contents[Number(chosen)];
              if (entry) showAnchor(entry);
            }}
            options={book.contents.map((entry, index) => ({
              value: String(index),
              label: `${'\u2003'.repeat(Math.min(3, entry.depth))}${entry.title}`,
            }))}
          />
        </div>
      )}
      <div className={styles.sizes}>
        <IconButton
          label={t('book.smaller')}
          icon={<AArrowDown />}
          isDisabled={size <= (readingSizes[0] ?? 100)}
          onClick={() => resize(-1)}
        />
        <span className={styles.position}>{formatPercent(size / 100)}</span>
        <IconButton
          label={t('book.larger')}
          icon={<AArrowUp />}
          isDisabled={size >= (readingSizes.at(-1) ?? 150)}
          onClick={() => resize(1)}
        />
      </div>
    </div>
  );
}
