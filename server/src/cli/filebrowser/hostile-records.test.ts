import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formerLink, formerSettings, formerUser } from '../../../test/fixtures/filebrowser-data.ts';
import { openReporter, reportText } from './report.ts';
import { importSettings } from './import-settings.ts';
import { importShares } from './import-shares.ts';
import { importUsers } from './import-users.ts';

const hostileValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>({ toString: 1, valueOf: 1 }, [[]], '\0', '\ud800', '../..', 1e308, -1, {
    '': null,
  }),
);
/** A record of File Browser with some replaced values. */
const damaged = (record: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> =>
  fc.oneof(
    hostileValue,
    fc
      .dictionary(fc.constantFrom(...Object.keys(record), '__proto__', 'constructor'), hostileValue, {
        maxKeys: 4,
      })
      .map((changes) => JSON.parse(JSON.stringify({ ...record, ...changes })) as unknown),
  );

test('records with any values can be imported and reported', async () => {
  const data = fc.record({
    users: fc.array(damaged(formerUser({ perm: { admin: true } })), { maxLength: 4 }),
    links: fc.array(damaged(formerLink({})), { maxLength: 4 }),
    settings: damaged(formerSettings()),
    server: hostileValue,
    auther: hostileValue,
  });
  await fc.assert(
    fc.asyncProperty(data, async (source) => {
      const reporter = openReporter();
      const users = await importUsers(source.users, reporter);
      await importSettings(source, reporter);
      await importShares(source.links, {
        nowMs: 0,
        owners: new Set([1]),
        lookUp: () => Promise.resolve('unknown'),
        reporter,
      });
      for (const { user } of users) expect(user.scope.startsWith('/')).toBe(true);
      const text = reportText({
        sources: ['x'],
        isDryRun: true,
        imported: { users: 0, usersReplaced: 0, links: 0, rules: 0, hasSettings: false },
        items: reporter.items,
        flags: [],
        backup: null,
      });
      expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    }),
    { numRuns: 1_000 },
  );
});
