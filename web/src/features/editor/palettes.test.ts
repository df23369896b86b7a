import { editorThemes } from '@filestead/contract/values/editor-themes';
import { describe, expect, test } from 'vitest';
import { contrast, luminance } from '../../styles/contrast.ts';
import { activeLinePercent } from './editor-theme.ts';
import { applyPalette, palettes } from './palettes.ts';

/** Returns the background of the active line: a little of the color `over` mixed into `under`. */
function mix(over: string, under: string): string {
  const fraction = activeLinePercent / 100;
  const channelAt = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) => Math.round(channelAt(over, at) * fraction + channelAt(under, at) * (1 - fraction)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

describe.each(editorThemes)('$label', ({ name }) => {
  const { isDark, selection, surface, ...inks } = palettes[name];
  test.each(Object.entries(inks))('has sufficient contrast for %s', (_, ink) => {
    expect(contrast(ink, surface)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(ink, mix(inks.text, surface))).toBeGreaterThanOrEqual(4.5);
  });
  test('has the declared brightness and a visible selection', () => {
    expect(luminance(surface) < 0.2).toBe(isDark);
    expect(contrast(inks.text, selection)).toBeGreaterThanOrEqual(3);
    expect(selection).not.toBe(surface);
  });
});

test('applies and removes a palette', () => {
  const element = document.createElement('div');
  applyPalette(element, palettes.dracula);
  expect(element.style.getPropertyValue('--code-surface')).toBe('#282a36');
  expect(element.style.colorScheme).toBe('dark');
  applyPalette(element, null);
  expect(element.getAttribute('style') ?? '').toBe('');
});
