import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { loadTexts } from './i18n.ts';
import type { Namespace } from './namespaces.ts';

/** A lazy component that is fetched together with the texts it needs. */
export function lazyWithTexts<P>(
  load: () => Promise<ComponentType<P>>,
  ...namespaces: readonly Namespace[]
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    const [component] = await Promise.all([load(), loadTexts(...namespaces)]);
    return { default: component };
  });
}
