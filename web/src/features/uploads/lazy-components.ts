/** The components of uploads that the first upload loads. */
export { UploadConflictDialog } from './upload-conflict-dialog.tsx';
export { UploadTray } from './upload-tray.tsx';
