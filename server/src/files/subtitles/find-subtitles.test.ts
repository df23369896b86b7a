import { describe, expect, test } from 'vitest';
import { cpuTimeMs } from '../../../test/cpu-time.ts';
import { createSubtitleFinder } from './find-subtitles.ts';

describe('subtitles', () => {
  const names = ['folder.vtt', 'a.mp4', 'a.vtt', 'a.de.vtt', 'a2.vtt', 'b.vtt', 'B.VTT', 'x.srt'];
  const find = createSubtitleFinder(names, 1);

  test('begin with the video’s name, are in name order, and exclude folders', () => {
    expect(find('a.mp4')).toEqual(['a.vtt', 'a.de.vtt', 'a2.vtt']);
    expect(find('a.de.mkv')).toEqual(['a.de.vtt']);
    expect(find('folder.mp4')).toEqual([]);
    expect(find('B.mp4')).toEqual(['B.VTT']);
  });

  test('are found in less than quadratic time', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `v${index}.vtt`);
    const timeMs = cpuTimeMs(() => {
      const findAmongMany = createSubtitleFinder(many, 0);
      for (let index = 0; index < 20_000; index++) findAmongMany(`w${index}.mp4`);
    });
    expect(timeMs).toBeLessThan(2_000);
  });
});
