import { useTranslation } from '../../i18n/use-translation.ts';
import { useSession } from '../../features/sessions/session-store.ts';
import { ErrorPage, ErrorScreen, type ErrorScreenProps } from './error-screen.tsx';
import { Frame } from './frame.tsx';

/** An error screen at an address of its own: within the frame for signed-in users, otherwise as a page. */
export function FramedError(props: ErrorScreenProps) {
  const { t } = useTranslation('app');
  const { user } = useSession();
  if (user === null) return <ErrorPage {...props} />;
  return (
    <Frame header={null} phone={{ title: t('frame.myFiles') }}>
      <ErrorScreen {...props} headingLevel={1} />
    </Frame>
  );
}
