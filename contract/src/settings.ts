import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { maxJsonBodyBytes } from './limits.ts';
import { Permissions } from './permissions.ts';
import { Rules } from './rules.ts';
import { Locale, Sorting, ViewMode } from './users.ts';

const text = z._default(z.string().check(z.maxLength(4096)), '');
const flag = z._default(z.boolean(), false);
const lines = z._default(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(256)), []);

/** The template of new users. */
export const UserDefaults = z.object({
  scope: z._default(z.string().check(z.maxLength(4096)), '.'),
  locale: z._default(Locale, ''),
  viewMode: z._default(ViewMode, 'list'),
  singleClick: flag,
  sorting: z._default(Sorting, { by: 'name', asc: false }),
  perm: Permissions,
  commands: lines,
  hideDotfiles: flag,
  dateFormat: flag,
});
export type UserDefaults = z.output<typeof UserDefaults>;

/** `''` leaves the choice to each user and their system. */
export const themes = ['', 'light', 'dark'] as const;

export const Branding = z.object({
  name: z._default(z.string().check(z.maxLength(128)), ''),
  disableExternal: flag,
  files: text,
  theme: z._default(z.enum(themes), ''),
  color: z._default(z.string().check(z.maxLength(64)), ''),
});

/** The events that commands can be attached to (existing API §1.16). */
export const commandEvents = [
  'after_copy',
  'after_delete',
  'after_rename',
  'after_save',
  'after_upload',
  'before_copy',
  'before_delete',
  'before_rename',
  'before_save',
  'before_upload',
] as const;

export const Settings = z.object({
  signup: flag,
  createUserDir: flag,
  userHomeBasePath: z._default(z.string().check(z.maxLength(4096)), '/users'),
  defaults: UserDefaults,
  rules: z._default(Rules, []),
  branding: Branding,
  shell: lines,
  commands: z._default(
    z.record(
      z.string().check(z.maxLength(64)),
      z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(256)),
    ),
    {},
  ),
});
export type Settings = z.output<typeof Settings>;

export const getSettings = endpoint({
  id: 'getSettings',
  feature: 'settings',
  method: 'GET',
  path: '/api/settings',
  summary: 'The global settings',
  caller: 'administrator',
  answers: { 200: { description: 'The settings', json: Settings } },
  errors: ['not_signed_in', 'forbidden'],
});

export const updateSettings = endpoint({
  id: 'updateSettings',
  feature: 'settings',
  method: 'PUT',
  path: '/api/settings',
  summary: 'Replace the global settings; what is missing takes its default',
  caller: 'administrator',
  body: Settings,
  maxBodyBytes: maxJsonBodyBytes,
  answers: { 200: { description: 'Saved', text: true } },
  errors: ['bad_request', 'invalid_rule', 'not_signed_in', 'forbidden'],
});
