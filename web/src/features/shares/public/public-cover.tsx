import { pageConfig } from '../../../api/page-config.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../../ui/names/file-kind.ts';
import { previewAddress } from '../share-address.ts';
import type { PublicEntry } from './open-public.ts';
import styles from './public-cover.module.css';

/** The number of pictures that are shown in a folder. */
const shownPictures = 3;

/** The picture of the shared entry: its icon, or a drawn folder with the first pictures that it contains. */
export function PublicCover({ entry }: { entry: PublicEntry }) {
  const { hash, isFolder, items, name, token } = entry;
  const pictures = pageConfig.EnableThumbs
    ? items.filter(({ type, size }) => type === 'image' && size > 0).slice(0, shownPictures)
    : [];
  if (pictures.length === 0) {
    return (
      <div className={styles.icon}>
        <FileIcon
          kind={fileKind(entry)}
          size={72}
          extension={isFolder ? undefined : lowerCaseExtension(name)}
        />
      </div>
    );
  }
  return (
    <div className={styles.pocket} aria-hidden="true">
      <svg className={styles.back} viewBox="0 0 180 116" preserveAspectRatio="none">
        <path d="M0 14C0 8 4 4 10 4h46c4 0 7 1 10 4l6 6c3 3 5 4 9 4h89c6 0 10 4 10 10v60H0Z" />
      </svg>
      <div className={styles.pictures}>
        {pictures.map(({ path, modifiedMs }) => (
          <img
            key={path}
            src={previewAddress({ hash, path }, { size: 'thumb', token, key: modifiedMs })}
            alt=""
            decoding="async"
            // Leaves a blank sheet in place of a picture that cannot be loaded.
            onError={({ currentTarget }) => currentTarget.removeAttribute('src')}
          />
        ))}
      </div>
      <div className={styles.front} />
    </div>
  );
}
