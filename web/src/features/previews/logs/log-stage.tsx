import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { formatSize } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { LoadedDocument, type DocumentViewProps } from '../loading/loaded-document.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import styles from './log-stage.module.css';
import { loadAppended, loadLogPart, type LogPart, logPartBytes } from './read-log.ts';
import { ScrollArea } from '../scroll-area.tsx';

/** The interval of requests for new lines, in ms. */
const followMs = 2000;

/** Shows the end of a text that is too large to be shown as a whole, earlier parts on demand, and follows what is appended. */
export function LogStage({ url, name, size, renderProblem }: DocumentViewProps) {
  const load = useCallback(
    (signal: AbortSignal) => loadLogPart(url, Math.max(0, size - logPartBytes), size, signal),
    [url, size],
  );
  const loaded = useLoaded(load);
  return (
    <LoadedDocument loaded={loaded} name={name} renderProblem={renderProblem}>
      {(end) => <Log key={url} url={url} name={name} end={end} />}
    </LoadedDocument>
  );
}

function Log({ url, name, end }: { url: string; name: string; end: LogPart }) {
  const { t } = useTranslation('previews');
  const [part, setPart] = useState(end);
  const [isLoading, setLoading] = useState(false);
  const [isFollowing, setFollowing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  /** The distance from the bottom that is kept when the text changes; the end is shown first. */
  const fromBottom = useRef(0);
  const keepPosition = () => {
    if (box.current) fromBottom.current = box.current.scrollHeight - box.current.scrollTop;
  };
  useLayoutEffect(() => {
    if (!box.current || part.text === '') return;
    const { scrollHeight } = box.current;
    box.current.scrollTop = isFollowing ? scrollHeight : scrollHeight - fromBottom.current;
  }, [part, isFollowing]);
  const showEarlier = async () => {
    setLoading(true);
    try {
      const earlier = await loadLogPart(url, Math.max(0, part.first - logPartBytes), part.first);
      keepPosition();
      setPart({ first: earlier.first, end: part.end, text: earlier.text + part.text });
    } catch {
      // The button stays, so that the user can try again.
    } finally {
      setLoading(false);
    }
  };
  const follow = useEffectEvent(async () => {
    const appended = await loadAppended(url, part).catch(() => part);
    // A file that is shorter than before was started again.
    setPart(appended ?? (await loadLogPart(url, 0, logPartBytes).catch(() => part)));
  });
  useEffect(() => {
    if (!isFollowing) return undefined;
    const timer = setInterval(() => void follow(), followMs);
    return () => clearInterval(timer);
  }, [isFollowing]);
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <span role="status">
          {part.first === 0
            ? t('log.whole')
            : t('log.end', { size: formatSize(part.end - part.first), total: formatSize(part.end) })}
        </span>
        <Switch
          isSelected={isFollowing}
          onChange={(next) => {
            keepPosition();
            setFollowing(next);
          }}
        >
          {t('log.follow')}
        </Switch>
      </div>
      <ScrollArea className={styles.scroller} label={name} boxRef={box}>
        {part.first > 0 && (
          <div className={styles.earlier}>
            <Button size="small" isPending={isLoading} onClick={() => void showEarlier()}>
              {t('log.earlier')}
            </Button>
          </div>
        )}
        <pre className={styles.text} dir="ltr">
          {part.text}
        </pre>
      </ScrollArea>
    </div>
  );
}
