import { useEffect, useRef, useState, type ReactNode } from 'react';

/** The number of rows rendered at first, and added with each step. */
const pageSize = 100;

/** Returns the beginning of a long list, which grows when its `end` comes into view. */
export function useGrowingPart<Row>(rows: readonly Row[]): { part: readonly Row[]; end: ReactNode } {
  const [count, setCount] = useState(pageSize);
  const isComplete = count >= rows.length;
  return {
    part: isComplete ? rows : rows.slice(0, count),
    end: isComplete ? null : <EndSentinel key={count} onReached={() => setCount(count + pageSize)} />,
  };
}

function EndSentinel({ onReached }: { onReached: () => void }) {
  const sentinel = useRef<HTMLDivElement>(null);
  const latest = useRef(onReached);
  useEffect(() => {
    latest.current = onReached;
  });
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current();
      },
      { rootMargin: '600px' },
    );
    if (sentinel.current) observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={sentinel} />;
}
