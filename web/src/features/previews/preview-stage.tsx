import type { VirtualPath } from '@filestead/contract/virtual-path';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rawUrl } from '../../api/urls.ts';
import type { FileIconKind } from '../../ui/file-icon.tsx';
import { FileCard } from './file-card.tsx';
import { ImageStage } from './image-stage.tsx';
import { MediaStage } from './media-stage.tsx';
import { canShowPdf, PdfStage } from './pdf-stage.tsx';
import { previewKindOf, type PreviewEntry } from './preview-entry.ts';
import type { ImageView, Stage } from './zoom.ts';

interface PreviewStageProps {
  entry: PreviewEntry;
  subtitles?: readonly VirtualPath[] | undefined;
  canDownload: boolean;
  onDownload: (entry: PreviewEntry) => void;
  view: ImageView;
  onView: (view: ImageView) => void;
  onMeasure: (stage: Stage) => void;
  onSwipe: (towards: 'left' | 'right') => void;
  isPlaying: boolean;
  onPlay: (isPlaying: boolean) => void;
}

function iconKindOf({ type }: PreviewEntry): FileIconKind {
  switch (type) {
    case 'image':
    case 'audio':
    case 'video':
    case 'pdf':
      return type;
    case 'text':
    case 'textImmutable':
      return 'text';
    case 'invalid_link':
      return 'broken';
    default:
      return 'other';
  }
}

/** The file itself, or a card that says why it is not shown. */
export function PreviewStage(props: PreviewStageProps) {
  const { entry, subtitles = [], canDownload } = props;
  const { t } = useTranslation('previews');
  const [isBroken, setIsBroken] = useState(false);
  const kind = previewKindOf(entry);
  const url = rawUrl(entry.path, { inline: true, key: entry.modifiedMs });
  const onBroken = () => setIsBroken(true);
  const card = (message: string) => (
    <FileCard
      entry={entry}
      kind={iconKindOf(entry)}
      message={message}
      openUrl={canDownload ? url : undefined}
      onDownload={canDownload ? () => props.onDownload(entry) : undefined}
    />
  );
  if (!canDownload) return card(t('forbidden'));
  if (isBroken) return card(kind === 'image' ? t('broken') : t('brokenMedia'));
  switch (kind) {
    case 'image':
      return <ImageStage {...props} name={entry.name} url={url} onBroken={onBroken} />;
    case 'audio':
    case 'video':
      return (
        <MediaStage
          {...props}
          kind={kind}
          url={url}
          name={entry.name}
          subtitles={subtitles}
          onBroken={onBroken}
        />
      );
    case 'pdf':
      return canShowPdf() ? <PdfStage url={url} name={entry.name} /> : card(t('pdfElsewhere'));
    case 'none':
      return card(t('unavailable'));
  }
}
