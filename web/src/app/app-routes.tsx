import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { LoginPage } from '../features/sessions/login-page.tsx';
import { ErrorPage } from './error-screen.tsx';
import { RequireUser, RequireVisitor } from './guards.tsx';
import { usePageTitle } from './page-title.ts';
import { FilesScreen, PublicScreen } from './screens.tsx';

/** The screens and who may see them (product specification §2). */
export function AppRoutes() {
  return (
    <Routes>
      <Route path="/login" element={<LoginRoute />} />
      <Route path="/files/*" element={<FilesRoute />} />
      <Route path="/share/*" element={<PublicScreen />} />
      <Route path="/403" element={<ErrorPage status={403} />} />
      <Route path="/404" element={<ErrorPage status={404} />} />
      <Route path="/500" element={<ErrorPage status={500} />} />
      <Route path="*" element={<ToFiles />} />
    </Routes>
  );
}

function LoginRoute() {
  const { t } = useTranslation('app');
  usePageTitle(t('titles.login'));
  return (
    <RequireVisitor>
      <LoginPage />
    </RequireVisitor>
  );
}

function FilesRoute() {
  const { pathname, search } = useLocation();
  if (pathname === '/files') return <Navigate to={`/files/${search}`} replace />;
  return (
    <RequireUser>
      <FilesScreen />
    </RequireUser>
  );
}

/** Any other path is taken for one of a file. */
function ToFiles() {
  const { pathname, search } = useLocation();
  return <Navigate to={`/files${pathname}${search}`} replace />;
}
