import type { TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import { i18n } from './i18n.ts';
import type { Namespace } from './namespaces.ts';

/**
 * Returns the translate function of some namespaces. The component renders again when the language changes or texts
 * arrive.
 */
export function useTranslation<const Ns extends Namespace | readonly [Namespace, ...Namespace[]] = 'common'>(
  namespaces: Ns = 'common' as Ns,
): { t: TFunction<Ns> } {
  return { t: useSyncExternalStore(i18n.subscribe, () => i18n.translatorOf(namespaces)) };
}
