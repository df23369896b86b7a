import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contrast } from './contrast.ts';

type Theme = 'light' | 'dark';

const source = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/** Returns the colors of the tokens that consist of a pair of solid colors. */
function colorsOf(theme: Theme): ReadonlyMap<string, string> {
  const pattern = /--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/gu;
  return new Map(
    [...source.matchAll(pattern)].map(([, name = '', light = '', dark = '']) => [
      name,
      theme === 'light' ? light : dark,
    ]),
  );
}

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'sunken-raised', 'hover', 'selected'];
const kinds = ['image', 'audio', 'video', 'document', 'sheet', 'slides', 'archive', 'code', 'pdf', 'other'];

/** The pairs of tokens that are used together, with the minimum contrast. */
const pairs: readonly [ink: string, grounds: readonly string[], least: number][] = [
  ['text', [...grounds, 'honey-soft', 'mark', 'knob', 'track', 'press'], 4.5],
  ['text-muted', [...grounds, 'hover-canvas', 'track'], 4.5],
  ['text-subtle', [...grounds, 'hover-raised'], 4.5],
  ['accent', grounds, 4.5],
  ['danger', [...grounds, 'danger-soft'], 4.5],
  ['success', [...grounds, 'success-soft'], 4.5],
  ['warning', grounds, 4.5],
  ['honey-ink', ['honey-soft', 'surface', 'canvas', 'raised'], 4.5],
  ['on-accent', ['accent', 'accent-hover', 'accent-press'], 4.5],
  ['on-danger', ['danger', 'danger-hover', 'danger-press'], 4.5],
  // Shapes and the borders of controls.
  ['control-line', grounds, 3],
  ['honey-back', grounds, 3],
  ...kinds.map((kind): [string, readonly string[], number] => [`kind-${kind}`, grounds, 3]),
];

describe.each<Theme>(['light', 'dark'])('the %s theme', (theme) => {
  const colors = colorsOf(theme);
  const color = (name: string): string => {
    const value = colors.get(name);
    if (value === undefined) throw new Error(`There is no solid color named --${name}.`);
    return value;
  };
  test.each(pairs)('has sufficient contrast for %s', (ink, on, least) => {
    const failing = on
      .map((ground) => ({ ground, ratio: contrast(color(ink), color(ground)) }))
      .filter(({ ratio }) => ratio < least);
    expect(failing).toEqual([]);
  });
});
