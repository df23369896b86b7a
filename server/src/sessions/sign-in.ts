import { usernameToLookUp } from '../access/possible-name.ts';
import { clientAddress } from '../http/client-address.ts';
import { checkCredentials } from './check-credentials.ts';
import { signInByProgram } from './sign-in-by-program.ts';
import { signInByProxy } from './sign-in-by-proxy.ts';
import type { SignIn, SignInDependencies } from './sign-in-parts.ts';
import { signInWithoutLogin } from './sign-in-without.ts';

/** Opens the way of signing in that the administrator chose (existing API §4). */
export function openSignIn(parts: SignInDependencies): SignIn {
  const { users, limiter, captcha } = parts;
  switch (parts.method.method) {
    case 'json':
      return async ({ username: typed, password, recaptcha, request }) => {
        const username = usernameToLookUp(typed);
        const { signal } = request.opened?.running ?? {};
        const attempt = await limiter.begin(clientAddress(request), { account: username }, signal);
        await captcha.verify(recaptcha, username);
        return checkCredentials(users, attempt, { username, password });
      };
    case 'proxy':
      return (asked) => signInByProxy(parts, asked);
    case 'hook':
      return (asked) => signInByProgram(parts, asked);
    case 'noauth':
      return (asked) => signInWithoutLogin(parts, asked);
  }
}
