import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { describe, expect, test } from 'vitest';
import { crumbsOf } from './public-crumbs.tsx';

describe('breadcrumbs', () => {
  const names = (path: string) =>
    crumbsOf(virtualPath(path)).map((crumb) => (crumb.isCollapsed ? `…${crumb.path}` : crumb.path));
  test('show three levels at most, and one crumb for all above', () => {
    expect(names('/')).toEqual([]);
    expect(names('/a')).toEqual(['/a']);
    expect(names('/a/b/c')).toEqual(['/a', '/a/b', '/a/b/c']);
    expect(names('/a/b/c/d/e')).toEqual(['…/a/b', '/a/b/c', '/a/b/c/d', '/a/b/c/d/e']);
  });
});
