import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { displayName } from '../../i18n/display-name.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';

/** The name of the folder into which something is uploaded, as a link to it. */
export function FolderLink({ folder }: { folder: VirtualPath }) {
  const { t } = useTranslation('uploads');
  return (
    <Link to={fileAddress(folder, true)}>
      <bdi>{displayName(nameOf(folder)) || t('conflict.topFolder')}</bdi>
    </Link>
  );
}
