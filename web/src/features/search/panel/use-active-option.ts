import { useEffect, useRef, useState, type RefObject } from 'react';
import type { FoundEntry } from '../find-entries.ts';
import type { FoundContent } from '../use-contents.ts';

/** A choice in the panel. */
export type Option =
  | { readonly kind: 'entry'; readonly entry: FoundEntry }
  | { readonly kind: 'content'; readonly file: FoundContent }
  | { readonly kind: 'all' }
  | { readonly kind: 'recent'; readonly query: string };

interface ActiveOptionParts {
  /** The id of the list. The option at an index has this id, `-` and the index. */
  id: string;
  query: string;
  field: RefObject<HTMLInputElement | null>;
  options: readonly Option[];
  act: (option: Option, isReveal: boolean) => void;
  forget: (query: string) => void;
}

/** The option that Enter chooses: none at first, then moved by the arrow keys and the pointer. */
export function useActiveOption(parts: ActiveOptionParts): {
  active: number | null;
  setActive: (index: number) => void;
} {
  const { id, query, field, options } = parts;
  const [chosen, setChosen] = useState<{ query: string; index: number } | null>(null);
  const index = chosen?.query === query && chosen.index < options.length ? chosen.index : null;
  const latest = useRef({ parts, index });
  useEffect(() => {
    latest.current = { parts, index };
  });
  useEffect(() => {
    const input = field.current;
    if (index === null) input?.removeAttribute('aria-activedescendant');
    else {
      input?.setAttribute('aria-activedescendant', `${id}-${index}`);
      document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
    }
    return () => input?.removeAttribute('aria-activedescendant');
  }, [field, id, index]);
  useEffect(() => {
    const input = field.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const { parts: current, index: at } = latest.current;
      const option = at === null ? undefined : current.options[at];
      const move = (to: number | null) => setChosen(to === null ? null : { query: current.query, index: to });
      const last = current.options.length - 1;
      if (event.key === 'ArrowDown') move(at === null ? 0 : Math.min(at + 1, last));
      else if (event.key === 'ArrowUp') move(at === null || at === 0 ? null : at - 1);
      else if (event.key === 'Enter' && option) current.act(option, event.ctrlKey || event.metaKey);
      else if (event.key === 'Delete' && option?.kind === 'recent') current.forget(option.query);
      else return;
      event.preventDefault();
    };
    input?.addEventListener('keydown', onKeyDown);
    return () => input?.removeEventListener('keydown', onKeyDown);
  }, [field]);
  return { active: index, setActive: (next) => setChosen({ query, index: next }) };
}
