import { usernameToLookUp } from '../usernames/usable-username.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { checkCredentials } from './check-credentials.ts';
import { signInByProgram } from './methods/sign-in-by-program.ts';
import { signInByProxy } from './methods/sign-in-by-proxy.ts';
import type { SignIn, SignInDependencies } from './methods/dependencies.ts';
import { signInAsFirstUser } from './methods/sign-in-as-first-user.ts';

/** Returns the sign-in of the configured authentication method (docs/reference/filebrowser-api.md §4). */
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
      return (request) => signInByProxy(parts, request);
    case 'hook':
      return (request) => signInByProgram(parts, request);
    case 'noauth':
      return (request) => signInAsFirstUser(parts, request);
  }
}
