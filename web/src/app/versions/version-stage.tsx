import { rootPath } from '@filestead/contract/paths/virtual-path';
import { useMemo, useRef, useState } from 'react';
import { FileAddressesProvider, type FileAddresses } from '../../features/previews/file-addresses.ts';
import { useBackground } from '../../features/previews/images/use-background.ts';
import { fittedView } from '../../features/previews/images/zoom.ts';
import { PreviewStage } from '../../features/previews/preview-stage.tsx';
import type { FileState } from '../../features/versions/versions-host.ts';

const ignore = () => undefined;

/** A preview of one state of a file in the dialog of its versions. */
export function VersionStage({ state }: { state: FileState }) {
  const [isPlaying, setPlaying] = useState(false);
  const player = useRef<HTMLMediaElement>(null);
  const { background, noteTransparency } = useBackground(rootPath);
  const { url, pictureUrl } = state;
  const addresses = useMemo(
    (): FileAddresses => ({
      original: () => url,
      embeddedImage: () => null,
      picture: () => pictureUrl,
      subtitle: () => url,
    }),
    [url, pictureUrl],
  );
  return (
    <FileAddressesProvider value={addresses}>
      <PreviewStage
        entry={{ ...state, path: rootPath }}
        canDownload
        onDownload={ignore}
        view={fittedView}
        onView={ignore}
        onMeasure={ignore}
        wantsFullSize={false}
        background={background}
        onTransparent={noteTransparency}
        onSwipe={ignore}
        playerRef={player}
        isPlaying={isPlaying}
        onPlay={setPlaying}
      />
    </FileAddressesProvider>
  );
}
