export { UploadConflictDialog } from './upload-conflict-dialog.tsx';
export { UploadTray } from './upload-tray.tsx';
