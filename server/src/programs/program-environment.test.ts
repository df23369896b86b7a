import { expect, test } from 'vitest';
import { canPassOn, programEnvironment } from './program-environment.ts';

const server = {
  PATH: '/usr/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  LC_ALL: 'C',
  TZ: 'UTC',
  DATABASE_URL: 'postgres://user:password@db',
  LD_LIBRARY_PATH: '/tmp/evil',
  LD_PRELOAD: '/tmp/evil.so',
  DYLD_INSERT_LIBRARIES: '/tmp/evil.dylib',
  NODE_OPTIONS: '--require /tmp/evil.js',
  BASH_ENV: '/tmp/evil.sh',
  AWS_SECRET_ACCESS_KEY: 'secret',
  FILESTEAD_PASSWORD: 'first password',
  LDAP_URI: 'ldap://directory',
};

test('a program inherits the allow-listed variables of the server and nothing else', () => {
  expect(programEnvironment(server, [])).toEqual({
    PATH: '/usr/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
    LC_ALL: 'C',
    TZ: 'UTC',
  });
});

test('a program inherits the variables that the administrator names, but never those of Filestead itself', () => {
  const passedOn = ['LDAP_URI', 'NOT_THERE', 'FILESTEAD_PASSWORD'];
  expect(programEnvironment(server, passedOn)).toMatchObject({ LDAP_URI: 'ldap://directory' });
  expect(programEnvironment(server, passedOn)).not.toHaveProperty('FILESTEAD_PASSWORD');
  expect(['LDAP_URI', '_x1', 'FILESTEAD_PASSWORD', 'fb_password', 'A=B', '', 'A-B'].map(canPassOn)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
