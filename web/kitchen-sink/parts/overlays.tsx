import { useState } from 'react';
import { Button } from '../../src/ui/buttons/button.tsx';
import { FileIcon } from '../../src/ui/names/file-icon.tsx';
import { ConfirmDialog } from '../../src/ui/overlays/confirm-dialog.tsx';
import { ConflictDialog } from '../../src/ui/conflicts/conflict-dialog.tsx';
import { ContextMenu } from '../../src/ui/overlays/context-menu.tsx';
import { Dialog } from '../../src/ui/overlays/dialog.tsx';
import { IconButton } from '../../src/ui/buttons/icon-button.tsx';
import {
  ChevronDown,
  Copy,
  Download,
  Ellipsis,
  FilePlus,
  FolderPlus,
  PencilLine,
  Plus,
  Trash2,
} from '../../src/ui/icons.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuTrigger } from '../../src/ui/overlays/menu.tsx';
import { Select } from '../../src/ui/fields/select.tsx';
import { TextField } from '../../src/ui/fields/text-field.tsx';
import { showToast } from '../../src/ui/feedback/toast.ts';
import { Tooltip } from '../../src/ui/overlays/tooltip.tsx';
import styles from '../kitchen-sink.module.css';

const existingMs = Date.UTC(2024, 4, 14, 9, 30);
const incomingMs = Date.UTC(2024, 5, 2, 17, 5);

export function OverlayParts() {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const [open, setOpen] = useState<'none' | 'name' | 'long' | 'confirm' | 'conflict'>('none');
  const [sort, setSort] = useState<'name' | 'size' | 'modified'>('name');
  const [name, setName] = useState('New folder');
  const [ends, setEnds] = useState<'never' | 'day'>('never');
  const close = () => setOpen('none');
  const say = (message: string) => () => showToast({ tone: 'info', message });
  return (
    <>
      <div className={styles.row}>
        <MenuTrigger>
          <Button variant="primary" icon={<Plus />} endIcon={<ChevronDown />}>
            New
          </Button>
          <Menu>
            <MenuItem icon={<FolderPlus />} shortcut="Shift+N" onAction={say('New folder')}>
              Folder
            </MenuItem>
            <MenuItem icon={<FilePlus />} description="Plain text" onAction={say('New file')}>
              File
            </MenuItem>
          </Menu>
        </MenuTrigger>
        <MenuTrigger>
          <Button endIcon={<ChevronDown />}>Sort</Button>
          <Menu placement="bottom end">
            <MenuChoice
              label="Sort by"
              hasHeading
              value={sort}
              onChange={setSort}
              options={[
                { value: 'name', label: 'Name' },
                { value: 'size', label: 'Size' },
                { value: 'modified', label: 'Modified' },
              ]}
            />
          </Menu>
        </MenuTrigger>
        <MenuTrigger>
          <IconButton label="More actions" icon={<Ellipsis />} />
          <Menu>
            <MenuItem icon={<Download />} onAction={say('Download')}>
              Download
            </MenuItem>
            <MenuItem
              icon={<PencilLine />}
              isDisabled
              description="You may not rename here"
              onAction={say('')}
            >
              Rename
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} tone="danger" shortcut="Delete" onAction={say('Delete')}>
              Delete
            </MenuItem>
          </Menu>
        </MenuTrigger>
        <Button onClick={() => setOpen('name')}>Dialog</Button>
        <Button onClick={() => setOpen('long')}>Long dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Question</Button>
        <Button onClick={() => setOpen('conflict')}>Conflict</Button>
        <Tooltip text="Thursday, 12 November 2026 at 14:02:31">
          <Button variant="quiet">Today 14:02</Button>
        </Tooltip>
      </div>
      <div className={styles.row}>
        <Button onClick={() => showToast({ tone: 'info', message: 'Link copied' })}>Info</Button>
        <Button onClick={() => showToast({ tone: 'success', message: '12 files uploaded to Lisbon' })}>
          Success
        </Button>
        <Button
          onClick={() =>
            showToast({
              tone: 'info',
              message: '3 items deleted',
              action: { label: 'Undo', onAction: say('Back again') },
              timeoutMs: 8000,
            })
          }
        >
          With undo
        </Button>
        <Button
          onClick={() =>
            showToast({
              tone: 'error',
              message: 'Can’t reach Filestead. Nothing was changed.',
            })
          }
        >
          Error
        </Button>
      </div>
      <div
        className={`${styles.row} ${styles.area}`}
        role="presentation"
        onContextMenu={(event) => {
          event.preventDefault();
          setAt({ x: event.clientX, y: event.clientY });
        }}
      >
        Right click here
      </div>
      <ContextMenu label="Actions" at={at} onClose={() => setAt(null)}>
        <MenuItem icon={<Copy />} shortcut="Mod+C" onAction={say('Copied')}>
          Copy
        </MenuItem>
        <MenuItem icon={<PencilLine />} shortcut="F2" onAction={say('Rename')}>
          Rename
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} tone="danger" shortcut="Delete" onAction={say('Deleted')}>
          Delete
        </MenuItem>
      </ContextMenu>
      <Dialog
        title="New folder"
        isOpen={open === 'name'}
        onClose={close}
        onSubmit={close}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary" type="submit">
              Create
            </Button>
          </>
        }
      >
        <div className={styles.stack}>
          <TextField
            autoFocus
            label="Name"
            value={name}
            onChange={setName}
            onFocus={(event) => event.target.select()}
          />
          <Select
            label="Expires"
            value={ends}
            onChange={setEnds}
            options={[
              { value: 'never', label: 'Never' },
              { value: 'day', label: 'In one day' },
            ]}
          />
        </div>
      </Dialog>
      <Dialog title="A rather long text" isOpen={open === 'long'} onClose={close} size="large">
        {Array.from({ length: 40 }, (_, line) => (
          <p key={line}>Line {line + 1} of a text that does not fit and has to be scrolled.</p>
        ))}
      </Dialog>
      <ConfirmDialog
        title="Delete 3 items forever?"
        isOpen={open === 'confirm'}
        onClose={close}
        onConfirm={close}
        confirmLabel="Delete 3 items"
      >
        “Lisbon.jpg” and 2 more items will be permanently deleted. You can’t undo this.
      </ConfirmDialog>
      <ConflictDialog
        title="“Lisbon.jpg” already exists"
        isOpen={open === 'conflict'}
        text="Replacing keeps the old file as an earlier version."
        sides={[
          {
            heading: 'Already there',
            picture: <FileIcon kind="image" size={64} />,
            lines: ['4.1 MB', { atMs: existingMs }],
          },
          {
            heading: 'From your computer',
            badge: 'Newer',
            picture: <FileIcon kind="image" size={64} />,
            lines: [{ text: '4.3 MB', note: '+200 KB' }, { atMs: incomingMs }],
          },
        ]}
        choices={[
          { id: 'replace', label: 'Replace', variant: 'primary' },
          { id: 'keep_both', label: 'Keep both', variant: 'secondary' },
          { id: 'skip', label: 'Skip', variant: 'quiet', isAside: true },
        ]}
        remaining={{ count: 7, label: 'Do the same for 7 more' }}
        onChoose={close}
        onClose={close}
      />
    </>
  );
}
