import * as z from 'zod/mini';
import { lenientList } from './values/lenient.ts';
import { maxRules } from './values/limits.ts';

/**
 * Allows or denies paths. Rules are evaluated in order, global ones before the user's own, and the last match decides
 * (docs/reference/behaviour.md §6, docs/reference/filebrowser-api.md §3.3). A path rule matches the path itself and
 * everything below it.
 */
export const Rule = z.object({
  regex: z._default(z.boolean(), false),
  allow: z._default(z.boolean(), false),
  path: z._default(z.string().check(z.maxLength(4096)), ''),
  regexp: z._default(
    z.nullable(z.object({ raw: z._default(z.string().check(z.maxLength(1024)), '') })),
    null,
  ),
});
export type Rule = z.output<typeof Rule>;

/** A list of rules as sent by clients: `null` means an empty list. */
export const RulesChange = lenientList(Rule, maxRules);

/** A list of rules; its length is limited so that matching stays fast. */
export const Rules = z.array(Rule).check(z.maxLength(maxRules));
