import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useMemo, useState, type RefObject } from 'react';
import { useLocale } from '../../../i18n/use-locale.ts';
import { showSubtitle } from './player-keys.ts';
import { subtitleChoices } from './subtitle-label.ts';

/** Shows subtitles of the recording `name`: the first ones until the user chooses. */
export function useSubtitles(
  player: RefObject<HTMLMediaElement | null>,
  subtitles: readonly VirtualPath[],
  name: string,
) {
  const { languageTag } = useLocale();
  const choices = useMemo(
    () => subtitleChoices(subtitles, name, languageTag),
    [subtitles, name, languageTag],
  );
  /** Undefined until the user chooses; null for none. */
  const [chosen, choose] = useState<VirtualPath | null>();
  const active = chosen === undefined ? (choices[0]?.path ?? null) : chosen;
  const activeIndex = choices.findIndex(({ path }) => path === active);
  useEffect(() => {
    showSubtitle(player.current, activeIndex);
  }, [player, activeIndex]);
  return { choices, active, activeIndex, choose };
}
