import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Typed {
  readonly text: string;
  /** The query to which the text belongs, then those that were written since and have not been rendered. */
  readonly queries: readonly string[];
}

/**
 * The text of a field whose `query`, without spaces around it, is in the address: `write` writes it there `delayMs` after the last key.
 * The text follows addresses that the field has not written itself, such as that of a link to the page. Its own addresses are
 * rendered late, when further letters may have been typed and written, and change nothing.
 */
export function useAddressText(
  query: string,
  write: (query: string) => void,
  delayMs: number,
): readonly [text: string, setText: (text: string) => void] {
  // Addresses are rendered in transitions. Setting the state while rendering one would make React start from the state of a
  // transition that was interrupted by a key press, and lose what was typed.
  const [typed, setTyped] = useState<Typed>({ text: query, queries: [query] });
  useLayoutEffect(
    () =>
      // oxlint-disable-next-line react/set-state-in-effect -- The address is an external system: the text follows it once it is rendered.
      setTyped((last) => {
        const rendered = last.queries.indexOf(query);
        if (rendered === -1) return { text: query, queries: [query] };
        return rendered === 0 ? last : { ...last, queries: last.queries.slice(rendered) };
      }),
    [query],
  );
  const isFollowed = !typed.queries.includes(query);
  const text = isFollowed ? query : typed.text;
  const next = text.trim();
  const current = isFollowed ? query : typed.queries.at(-1);
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  useEffect(() => {
    if (next === current) return undefined;
    const timer = setTimeout(() => {
      setTyped((last) => ({ ...last, queries: [...last.queries, next] }));
      latest.current(next);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [next, current, delayMs]);
  const setText = useCallback(
    (changed: string): void =>
      setTyped((last) => ({ text: changed, queries: last.queries.includes(query) ? last.queries : [query] })),
    [query],
  );
  return [text, setText];
}
