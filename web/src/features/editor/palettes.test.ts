import { editorThemes } from '@filestead/contract/values/editor-themes';
import { describe, expect, test } from 'vitest';
import { paint, palettes } from './palettes.ts';

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The line of the caret is this much nearer to the text's colour (editor-theme.ts). */
const activeLine = 0.05;
function mixed(over: string, under: string): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) => Math.round(channel(over, at) * activeLine + channel(under, at) * (1 - activeLine)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

describe.each(editorThemes)('$label', ({ name }) => {
  const { isDark, selection, surface, ...inks } = palettes[name];
  test.each(Object.entries(inks))('%s can be read', (_, ink) => {
    expect(contrast(ink, surface)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(ink, mixed(inks.text, surface))).toBeGreaterThanOrEqual(4.5);
  });
  test('it is as dark or light as it says, and selected text is seen', () => {
    expect(luminance(surface) < 0.2).toBe(isDark);
    expect(contrast(inks.text, selection)).toBeGreaterThanOrEqual(3);
    expect(selection).not.toBe(surface);
  });
});

test('a palette is put on and taken off', () => {
  const element = document.createElement('div');
  paint(element, palettes.dracula);
  expect(element.style.getPropertyValue('--code-surface')).toBe('#282a36');
  expect(element.style.colorScheme).toBe('dark');
  paint(element, null);
  expect(element.getAttribute('style') ?? '').toBe('');
});
