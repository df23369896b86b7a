import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { lazy, Suspense, type RefObject } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { fileKind } from '../../ui/names/file-kind.ts';
import type { PreviewFailure } from './loading/preview-failure.ts';
import type { BackgroundPlayer } from './background-player.ts';
import { DocumentStage } from './document-stage.tsx';
import { FileCard } from './file-card.tsx';
import { useFileAddresses } from './file-addresses.ts';
import type { ScreenBox } from './images/grow-from.ts';
import type { Background } from './images/background.ts';
import { ImageStage } from './images/image-stage.tsx';
import { MediaStage } from './media/media-stage.tsx';
import { canShowPdf } from '../../ui/can-show-pdf.ts';
import { PdfStage } from './pdf-stage.tsx';
import {
  isDecodedByBrowser,
  isLargeText,
  mayHaveCover,
  previewKindOf,
  type PreviewEntry,
} from './preview-entry.ts';
import { TextStage, type TextViews } from './text-stage.tsx';
import { usePreviewFailure } from './loading/use-preview-failure.ts';
import type { SwipeDirection } from './images/use-swipe.ts';
import { usePicture } from './images/use-picture.ts';
import type { ImageView, Stage } from './images/zoom.ts';

const LogStage = lazy(async () => ({ default: (await import('./logs/log-stage.tsx')).LogStage }));

interface PreviewStageProps {
  entry: PreviewEntry;
  subtitles?: readonly VirtualPath[] | undefined;
  canDownload: boolean;
  onDownload: (entry: PreviewEntry) => void;
  view: ImageView;
  onView: (view: ImageView) => void;
  onMeasure: (stage: Stage) => void;
  /** The background of a picture with transparency; null for others. */
  background: Background | null;
  onTransparent: () => void;
  /** Whether to load all pixels of the image instead of as many as the window shows. */
  wantsFullSize: boolean;
  origin?: ScreenBox | null | undefined;
  onSwipe: (direction: SwipeDirection) => void;
  playerRef: RefObject<HTMLMediaElement | null>;
  isPlaying: boolean;
  onPlay: (isPlaying: boolean) => void;
  /** Absent when text files are opened in the editor. */
  texts?: TextViews | undefined;
  backgroundPlayer?: BackgroundPlayer | undefined;
  onMinimize?: (() => void) | undefined;
}

const noSubtitles: readonly VirtualPath[] = [];

/** Renders the file, or a card with the reason why it is not shown. */
export function PreviewStage(props: PreviewStageProps) {
  const { entry, subtitles = noSubtitles, canDownload } = props;
  const { t } = useTranslation('previews');
  const kind = previewKindOf(entry);
  const addresses = useFileAddresses();
  const url = addresses.original(entry.path, entry.modifiedMs);
  const { failure, attempt, onBroken, retry } = usePreviewFailure(url);
  const card = (message: string, reason?: PreviewFailure, isOpenPrimary = false) => (
    <FileCard
      entry={entry}
      kind={fileKind({ ...entry, isFolder: false })}
      message={message}
      isOpenPrimary={isOpenPrimary}
      openUrl={canDownload && !reason ? url : undefined}
      onDownload={canDownload && reason !== 'gone' ? () => props.onDownload(entry) : undefined}
      onRetry={reason === 'unloaded' ? retry : undefined}
    />
  );
  if (!canDownload) return card(t('forbidden'));
  if (entry.size === 0) return card(t('empty'));
  if (failure === 'gone') return card(t('gone'), failure);
  if (failure === 'unloaded') return card(t('notLoaded'), failure);
  if (failure === 'damaged') {
    if (kind !== 'image') return card(t('brokenMedia'));
    return card(t(isDecodedByBrowser(entry) ? 'broken' : 'unavailable'));
  }
  switch (kind) {
    case 'image':
      return <PictureStage key={attempt} {...props} onBroken={onBroken} />;
    case 'audio':
    case 'video':
      return (
        <MediaStage
          key={attempt}
          {...props}
          kind={kind}
          path={entry.path}
          url={url}
          name={entry.name}
          size={entry.size}
          coverUrl={mayHaveCover(entry) ? addresses.picture(entry, 'big') : undefined}
          subtitles={subtitles}
          onBroken={onBroken}
        />
      );
    case 'pdf':
      return canShowPdf() ? (
        <PdfStage url={url} name={entry.name} />
      ) : (
        card(t('pdfElsewhere'), undefined, true)
      );
    case 'text':
      return props.texts ? (
        <TextStage
          key={attempt}
          path={entry.path}
          views={props.texts}
          url={url}
          name={entry.name}
          size={entry.size}
          renderProblem={card}
        />
      ) : (
        card(t('unavailable'))
      );
    case 'none':
      if (!isLargeText(entry)) return card(t('unavailable'));
      return (
        <Suspense fallback={null}>
          <LogStage key={attempt} url={url} name={entry.name} size={entry.size} renderProblem={card} />
        </Suspense>
      );
    default:
      return (
        <DocumentStage
          key={attempt}
          kind={kind}
          url={url}
          name={entry.name}
          size={entry.size}
          renderProblem={card}
        />
      );
  }
}

function PictureStage(props: PreviewStageProps & { onBroken: () => void }) {
  const { entry, wantsFullSize, onBroken } = props;
  const picture = usePicture(entry, wantsFullSize, onBroken);
  return <ImageStage {...props} picture={picture} />;
}
