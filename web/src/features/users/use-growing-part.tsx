import { useEffect, useRef, useState, type ReactNode } from 'react';

/** The number of rows rendered at first, and added with each step. */
const step = 100;

/** Returns the beginning of a long list, which grows when its `end` comes into view. */
export function useGrowingPart<Row>(rows: readonly Row[]): { part: readonly Row[]; end: ReactNode } {
  const [count, setCount] = useState(step);
  const isWhole = count >= rows.length;
  return {
    part: isWhole ? rows : rows.slice(0, count),
    end: isWhole ? null : <End key={count} onSeen={() => setCount(count + step)} />,
  };
}

function End({ onSeen }: { onSeen: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    const watching = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current();
      },
      { rootMargin: '600px' },
    );
    if (mark.current) watching.observe(mark.current);
    return () => watching.disconnect();
  }, []);
  return <div ref={mark} />;
}
