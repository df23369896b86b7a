import { rootPath } from '@filestead/contract/paths/virtual-path';
import type { VisiblePart } from '../../src/access/rules/visible-part.ts';

/** The part of the tree that a user without rules sees: all of it. */
export const wholeTree: VisiblePart = {
  place: rootPath,
  bases: [rootPath],
  scope: rootPath,
  rules: [],
  globalRules: [],
  hidesDotfiles: false,
  letterCases: [],
};
