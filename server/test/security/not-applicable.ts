import type { CaseId } from './cases.ts';

/** The reason why a case is not tested in this folder. */
export interface NotApplicable {
  readonly reason: string;
  /** The tests that prove it instead, from the top of the repository; absent when the case cannot happen here. */
  readonly provenBy?: readonly string[];
}

/** The cases that are not tried here, each with its reason. */
export const notApplicable: Readonly<Partial<Record<CaseId, NotApplicable>>> = {
  'PT-21': {
    reason: 'Filestead runs on Linux and other Unix systems; drives and devices by name do not exist there.',
  },
  'SH-35': { reason: 'The visits of a share are counted, but no limit of them can be set.' },
  'XS-07': {
    reason: 'Markdown is rendered in the browser; the server sends it as plain text (see XS-03).',
    provenBy: ['web/src/features/previews/html/clean-html.test.ts', 'e2e/previews.spec.ts'],
  },
  'XS-23': {
    reason:
      'The settings screens write values as text of React, which escapes them; that no source of the page writes markup is SC-03, that themes, modes and orders come from fixed lists is SU-23 and XS-11.',
    provenBy: [
      'e2e/hostile-names.spec.ts',
      'server/test/security/supply-chain.test.ts',
      'server/test/security/users.test.ts',
    ],
  },
  'WS-07': {
    reason: 'Tried in the tests of the socket, with processes that are looked for by their command line.',
    provenBy: ['server/src/commands/command-socket.test.ts'],
  },
  'WS-09': {
    reason: 'Tried in the tests of the socket, with a limit of output that a test can reach.',
    provenBy: ['server/src/commands/command-socket.test.ts'],
  },
  'CX-13': {
    reason: 'Tried in the tests of the socket, with limits of time and output that a test can reach.',
    provenBy: ['server/src/commands/command-socket.test.ts'],
  },
  'AR-11': {
    reason:
      'Archives with more members and bytes than short counts hold are packed in the tests of the formats and read by other programs.',
    provenBy: ['server/src/archives/formats.test.ts'],
  },
  'AR-13': {
    reason:
      'Tried in the tests of extraction, with archives made for it: names with .., links and hard links.',
    provenBy: ['server/src/archives/extraction.test.ts'],
  },
  'UP-03': {
    reason:
      'Needs a small file system of its own, which only an account with the permission to mount can create.',
    provenBy: ['server/src/storage/disk/disk-volumes.test.ts'],
  },
  'DO-23': {
    reason: 'The bound of the cache is tried beside its code, with a small size.',
    provenBy: ['server/src/previews/preview-cache.test.ts'],
  },
  'CF-17': {
    reason:
      'Tried in the tests of commands on a running server: new keys end sessions and opened links, and nothing else.',
    provenBy: ['server/src/cli/running-server.test.ts', 'server/src/cli/keys/rotate-keys.test.ts'],
  },
  'CF-11': {
    reason:
      'The captcha is the only service that is asked; its address, time limit and redirects are tried beside its code.',
    provenBy: ['server/src/access/sign-in/captcha.test.ts'],
  },
};
