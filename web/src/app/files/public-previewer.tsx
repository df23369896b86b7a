import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useCallback, useMemo } from 'react';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { pageConfig } from '../../api/page-config.ts';
import { FileAddressesProvider, type FileAddresses } from '../../features/previews/file-addresses.ts';
import { PublicDetails } from '../../features/shares/public/public-details.tsx';
import { previewOver, type PreviewedFile } from '../../features/shares/public/public-previews.ts';
import {
  downloadAddress,
  previewAddress,
  publicAddress,
  subtitleAddress,
} from '../../features/shares/share-address.ts';
import { usePublicFile } from '../../features/shares/public/use-public-file.ts';
import { followDownload } from '../../ui/follow-download.ts';
import { Previewer, renderReadOnlyCode } from '../resources/lazy-previewer.tsx';

/** Returns the addresses of a share's files for visitors. */
function addressesOf(hash: string, token: string | undefined, isSingleFile: boolean): FileAddresses {
  const original = (path: VirtualPath, key?: number) =>
    downloadAddress({ hash, path }, { token, isInline: true, key });
  return {
    original,
    // A share of a single file serves only that file, whatever name follows the hash.
    embeddedImage: (path) => (isSingleFile ? null : original(path)),
    picture: ({ path, modifiedMs }, size) => previewAddress({ hash, path }, { size, token, key: modifiedMs }),
    subtitle: (path) => subtitleAddress({ hash, path }, { token }),
  };
}

/** A file of a share in the previewer, for viewing and downloading only. */
export function PublicPreviewer({ previewed }: { previewed: PreviewedFile }) {
  const { entry, file, siblings } = previewed;
  const { hash, token } = entry;
  const isSingleFile = entry.isShareRoot && !entry.isFolder;
  const navigate = useNavigate();
  const addresses = useMemo(() => addressesOf(hash, token, isSingleFile), [hash, token, isSingleFile]);
  /** The page of the file, which also reports that it no longer exists. */
  const page = publicAddress({ hash, path: file.path }, false);
  const showPage = useCallback(() => void navigate(page, { replace: true }), [navigate, page]);
  const details = usePublicFile({ hash, path: file.path, token }, showPage);
  const texts = useMemo(
    () => ({
      renderCode: renderReadOnlyCode,
      addressOf: (path: VirtualPath) => `${pageConfig.BaseURL}${publicAddress({ hash, path }, false)}`,
    }),
    [hash],
  );
  const download = () => followDownload(downloadAddress({ hash, path: file.path }, { token }));
  return (
    <FileAddressesProvider value={addresses}>
      <Suspense fallback={null}>
        <Previewer
          entry={details ? { ...file, type: details.type } : file}
          siblings={siblings}
          subtitles={details?.subtitles}
          canDownload
          texts={texts}
          onNavigate={(next) =>
            void navigate(publicAddress({ hash, path: next.path }, false), {
              replace: true,
              state: previewOver('folder'),
            })
          }
          // The previewer was opened from the page behind it.
          onClose={() => void navigate(-1)}
          onDownload={download}
          onInfo={showPage}
          renderDetails={() => <PublicDetails hash={hash} file={file} token={token} />}
        />
      </Suspense>
    </FileAddressesProvider>
  );
}
