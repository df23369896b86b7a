import { pageConfig } from '../../../api/page-config.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../../ui/names/file-kind.ts';
import { Pocket } from '../../../ui/names/pocket.tsx';
import { previewAddress } from '../share-address.ts';
import type { PublicEntry } from './open-public.ts';
import styles from './public-cover.module.css';

/** The number of pictures or files that are shown in a folder. */
const shownInCover = 3;

/** The picture of the shared entry: a file's icon, or a folder as a pocket with the first pictures or files that it contains. */
export function PublicCover({ entry }: { entry: PublicEntry }) {
  const { hash, isFolder, items, name, token } = entry;
  const files = items.filter((item) => !item.isFolder);
  if (files.length === 0) {
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
  const pictures = pageConfig.EnableThumbs
    ? files.filter(({ type, size }) => type === 'image' && size > 0).slice(0, shownInCover)
    : [];
  return (
    <div className={styles.pocket}>
      <Pocket
        pictures={pictures.map(({ path, modifiedMs }) =>
          previewAddress({ hash, path }, { size: 'thumb', token, key: modifiedMs }),
        )}
        slips={files.slice(0, shownInCover).map(fileKind)}
      />
    </div>
  );
}
