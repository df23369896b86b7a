export { UploadConflictDialog } from './conflict-dialog.tsx';
export { UploadTray } from './upload-tray.tsx';
