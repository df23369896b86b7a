import type { CaseId } from './cases.ts';

/** The reason why a case is not tested in this folder. */
export interface NotApplicable {
  readonly reason: string;
  /** The tests that prove it instead, from the top of the repository; absent when the case cannot happen here. */
  readonly provenBy?: readonly string[];
}

/** The cases that are not tested in this folder, each with its reason. */
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
      'The settings screens render values as text of React, which escapes them. SC-03 tests that no source of the page writes markup; SU-23 and XS-11 test that themes, modes and orders come from fixed lists.',
    provenBy: [
      'e2e/hostile-names.spec.ts',
      'server/test/security/supply-chain.test.ts',
      'server/test/security/users.test.ts',
    ],
  },
  'WS-07': {
    reason: 'Tested with the socket, where processes are found by their command line.',
    provenBy: ['server/src/commands/command-socket.test.ts'],
  },
  'WS-09': {
    reason: 'Tested with the socket, with a limit of output that a test can reach.',
    provenBy: ['server/src/commands/command-socket.test.ts'],
  },
  'CX-13': {
    reason: 'Tested with the socket, with limits of time and output that a test can reach.',
    provenBy: ['server/src/commands/command-socket.test.ts'],
  },
  'AR-11': {
    reason:
      'Archives with more members and bytes than counts of 16 and 32 bits can express are packed in the tests of the formats and read by other programs.',
    provenBy: ['server/src/archives/formats.test.ts'],
  },
  'AR-13': {
    reason: 'Tested with the extraction of crafted archives: names with .., symbolic and hard links.',
    provenBy: ['server/src/archives/extraction.test.ts'],
  },
  'UP-03': {
    reason:
      'Needs a small file system of its own, which only an account with the permission to mount can create.',
    provenBy: ['server/src/storage/disk/disk-volumes.test.ts'],
  },
  'DO-23': {
    reason: 'The limit of the cache is tested beside its code, with a small size.',
    provenBy: ['server/src/previews/preview-cache.test.ts'],
  },
  'CF-17': {
    reason:
      'Tested with commands on a running server: new keys end sessions and opened links, and nothing else.',
    provenBy: ['server/src/cli/running-server.test.ts', 'server/src/cli/keys/rotate-keys.test.ts'],
  },
  'CF-11': {
    reason:
      'The captcha is the only service to which the server sends requests; its address, time limit and redirects are tested beside its code.',
    provenBy: ['server/src/access/sign-in/captcha.test.ts'],
  },
};
