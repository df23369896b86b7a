import { useState } from 'react';
import { Button } from '../buttons/button.tsx';
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx';
import { ContextMenu } from '../overlays/context-menu.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
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
} from '../icons.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuTrigger } from '../overlays/menu.tsx';
import { Select } from '../fields/select.tsx';
import { TextField } from '../fields/text-field.tsx';
import { showToast } from '../feedback/toast.ts';
import { Tooltip } from '../overlays/tooltip.tsx';
import styles from './kitchen-sink.module.css';

export function OverlayParts() {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const [open, setOpen] = useState<'none' | 'name' | 'long' | 'confirm'>('none');
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
              message: "The server can't be reached. Nothing was changed. Try again in a moment.",
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
            label="Ends"
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
        title="Delete 3 items for good?"
        isOpen={open === 'confirm'}
        onClose={close}
        onConfirm={close}
        confirmLabel="Delete 3 items for good"
      >
        'Lisbon.jpg' and 2 more are removed from the server. They cannot be brought back.
      </ConfirmDialog>
    </>
  );
}
