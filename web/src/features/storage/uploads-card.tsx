import { discardUserUpload, listUserUploads, type UserUpload } from '@filestead/contract/uploads';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, isApiError } from '../../api/call.ts';
import { formatRelative, formatSize } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton, type IconButtonProps } from '../../ui/buttons/icon-button.tsx';
import { Card } from '../../ui/card.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { X } from '../../ui/icons.ts';
import { Table } from '../../ui/table.tsx';

const queryKey = ['storage', 'uploads'];

/** The unfinished uploads of all users, with a button to cancel each. Renders nothing if there are none. */
export function UploadsCard() {
  const { t } = useTranslation('storage');
  const queries = useQueryClient();
  const { data: uploads = [] } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listUserUploads, { signal }),
  });
  const { mutate: discard, isPending } = useMutation({
    mutationFn: ({ id }: UserUpload) => call(discardUserUpload, { params: { id } }),
    onError: (error) => {
      // The upload has ended meanwhile.
      if (!isApiError(error, 'not_found')) showToast({ tone: 'error', message: t('uploads.failed') });
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  if (uploads.length === 0) return null;
  const nameOf = ({ path }: UserUpload): string =>
    path === null ? t('uploads.elsewhere') : isolateBidi(path);
  return (
    <Card title={t('uploads.title')} description={t('uploads.hint')}>
      <Table
        label={t('uploads.title')}
        rows={uploads}
        rowKey={({ id }) => id}
        columns={[
          { id: 'path', header: t('uploads.path'), isRowHeader: true, cell: nameOf },
          { id: 'user', header: t('users.name'), cell: ({ username }) => isolateBidi(username) },
          {
            id: 'stored',
            header: t('uploads.stored'),
            align: 'end',
            cell: ({ stored, size }) =>
              t('uploads.of', { stored: formatSize(stored), size: formatSize(size) }),
          },
          {
            id: 'state',
            header: t('uploads.state'),
            cell: ({ state, isSending, expires }) =>
              isSending
                ? t('uploads.sending')
                : t(state === 'blocked' ? 'uploads.blocked' : 'uploads.expires', {
                    time: formatRelative(expires),
                  }),
          },
          {
            id: 'discard',
            header: t('uploads.discard'),
            isHeaderHidden: true,
            align: 'end',
            cell: (upload) =>
              discardButton({
                label: t('uploads.discardOf', { name: nameOf(upload), user: upload.username }),
                isDisabled: isPending,
                onClick: () => discard(upload),
              }),
          },
        ]}
      />
    </Card>
  );
}

const discardButton = (props: Pick<IconButtonProps, 'label' | 'isDisabled' | 'onClick'>) => (
  <IconButton size="small" icon={<X />} {...props} />
);
