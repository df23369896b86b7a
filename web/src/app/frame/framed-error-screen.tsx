import { rootPath } from '@filestead/contract/paths/virtual-path';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useSession } from '../../features/sessions/session-store.ts';
import { PathLink } from '../../ui/navigation/path-link.tsx';
import { PlaceSearch } from '../search/place-search.tsx';
import { ErrorPage, ErrorScreen, type ErrorScreenProps } from './error-screen.tsx';
import { Frame } from './frame.tsx';

/** An error screen: within the frame for signed-in users, otherwise as a page. */
export function FramedErrorScreen(props: ErrorScreenProps) {
  const { t } = useTranslation('app');
  const { user } = useSession();
  if (user === null) return <ErrorPage {...props} />;
  const title = t('frame.myFiles');
  return (
    <Frame
      header={<PathLink to="/files/">{title}</PathLink>}
      actions={<PlaceSearch />}
      phone={{ title }}
      usagePath={rootPath}
    >
      <ErrorScreen {...props} headingLevel={1} />
    </Frame>
  );
}
