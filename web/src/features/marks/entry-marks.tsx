import { useTranslation } from '../../i18n/use-translation.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Star, Users } from '../../ui/icons.ts';
import styles from './entry-marks.module.css';
import type { EntryMarks as Marks } from './marks-store.ts';
import { TagDot } from './tag-dot.tsx';

/** The number of tags that are shown one by one, in wide windows and on phones. */
const shownTags = { wide: 2, phone: 1 };

/** The sign of an entry with a link, the star of a favorite, and its tags: the first ones with their words, the others as a number. */
export function EntryMarks({ favorite, tags, isShared = false }: Marks & { isShared?: boolean }) {
  const { t } = useTranslation('app');
  const isPhone = useIsPhone();
  const shown = isPhone ? shownTags.phone : shownTags.wide;
  const more = tags.slice(shown);
  return (
    <span className={styles.marks} data-part="marks">
      {isShared && (
        <>
          <Users className={styles.shared} aria-hidden="true" />
          <span className="visually-hidden">{t('frame.sharedByMe')}</span>
        </>
      )}
      {favorite && (
        <>
          <Star className={styles.star} aria-hidden="true" />
          <span className="visually-hidden">{t('marks.favorite')}</span>
        </>
      )}
      {tags.slice(0, shown).map((tag) => (
        <TagMark key={tag} tag={tag} />
      ))}
      {more.length > 0 && (
        <span className={styles.more} data-tag="" title={more.join(t('listComma', { ns: 'common' }))}>
          {`+${more.length}`}
        </span>
      )}
    </span>
  );
}

/** A tag: a dot whose color depends on the word, and the word. */
export function TagMark({ tag }: { tag: string }) {
  return (
    <span className={styles.tag} data-tag="" title={tag}>
      <TagDot tag={tag} />
      <bdi className={styles.word}>{tag}</bdi>
    </span>
  );
}
