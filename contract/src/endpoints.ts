import {
  createArchive,
  getArchive,
  getArchivePreview,
  getArchiveRaw,
  listArchiveFolder,
} from './archives.ts';
import { runCommand } from './commands.ts';
import type { EndpointSpec } from './endpoint.ts';
import * as files from './files.ts';
import { checkProxy, getApiManual, getHealth, getLive, getOpenApi, getReady } from './health.ts';
import * as jobs from './jobs.ts';
import { getMedia, getPreview, listMedia } from './previews.ts';
import { searchFiles } from './search.ts';
import { endSession, endSessions, listSessions, login, logout, renew, signup } from './sessions.ts';
import { getSettings, updateSettings } from './settings.ts';
import * as shares from './shares.ts';
import * as live from './endpoints/live.ts';
import * as uploads from './uploads.ts';
import { findContents } from './endpoints/contents.ts';
import { listDuplicates } from './endpoints/duplicates.ts';
import * as find from './endpoints/find.ts';
import * as folderUploads from './endpoints/folder-uploads.ts';
import * as marks from './endpoints/marks.ts';
import * as operations from './endpoints/operations.ts';
import * as resumableUploads from './endpoints/resumable-uploads.ts';
import * as storage from './endpoints/storage.ts';
import * as trash from './endpoints/trash.ts';
import * as versions from './endpoints/versions.ts';
import { rotatePicture } from './endpoints/rotation.ts';
import * as users from './users.ts';

/** Every endpoint of the API. The server refuses to start if a route is registered for any other. */
export const endpoints: readonly EndpointSpec[] = [
  login,
  renew,
  logout,
  listSessions,
  endSession,
  endSessions,
  signup,
  files.getResource,
  files.listBelow,
  files.getSubtitle,
  files.createResource,
  files.saveResource,
  files.moveResource,
  files.deleteResource,
  files.getRaw,
  files.getUsage,
  createArchive,
  getArchive,
  listArchiveFolder,
  getArchiveRaw,
  getArchivePreview,
  resumableUploads.getTusOptions,
  resumableUploads.createUpload,
  resumableUploads.getUpload,
  resumableUploads.appendUpload,
  resumableUploads.endUpload,
  uploads.uploadFiles,
  uploads.listUploads,
  uploads.finishBlockedUpload,
  uploads.discardUpload,
  uploads.listUserUploads,
  uploads.discardUserUpload,
  uploads.compareUpload,
  folderUploads.createFolderUpload,
  folderUploads.listFolderUploads,
  folderUploads.listArrivedFiles,
  folderUploads.discardFolderUpload,
  jobs.createJob,
  jobs.listJobs,
  jobs.getJob,
  jobs.cancelJob,
  jobs.followJobs,
  listDuplicates,
  live.followLive,
  live.setLiveFolders,
  live.getLiveVersions,
  getPreview,
  listMedia,
  getMedia,
  rotatePicture,
  searchFiles,
  find.findFiles,
  findContents,
  find.getTotals,
  find.getMap,
  marks.listMarks,
  marks.changeMarks,
  marks.orderFavorites,
  marks.getFolderMarks,
  marks.listTagged,
  marks.listRecents,
  marks.recordOpened,
  marks.switchRecents,
  marks.clearRecents,
  shares.listShares,
  shares.listSharesOfPath,
  shares.createShare,
  shares.updateShare,
  shares.deleteShare,
  shares.getPublicShare,
  shares.getPublicDownload,
  shares.createPublicArchive,
  shares.getPublicArchive,
  shares.getPublicSubtitle,
  shares.getPublicPreview,
  shares.listPublicMedia,
  storage.getStorage,
  trash.listTrash,
  trash.getTrashItem,
  trash.listTrashFolder,
  trash.getTrashRaw,
  trash.getTrashPreview,
  trash.restoreTrash,
  trash.purgeTrash,
  trash.cancelPurge,
  versions.listVersions,
  versions.getVersion,
  versions.getVersionRaw,
  versions.getVersionPreview,
  versions.restoreVersion,
  versions.updateVersion,
  versions.deleteVersion,
  operations.listOperations,
  operations.undoOperation,
  operations.rewindFolder,
  users.listUsers,
  users.listUserSizes,
  users.createUser,
  users.getUser,
  users.updateUser,
  users.deleteUser,
  getSettings,
  updateSettings,
  runCommand,
  getHealth,
  getLive,
  getReady,
  checkProxy,
  getOpenApi,
  getApiManual,
];
