import { OpenTabs } from '../tabs/open-tabs.ts';
import { SharedTray } from '../tabs/shared-tray.ts';
import { blockedUploads, serverTransport, unfinishedUploads } from './server-transport.ts';
import { UploadQueue } from './upload-queue.ts';

/** The page's single queue. */
export const uploadQueue = new UploadQueue(serverTransport);
/** The other open pages of the user. */
export const openTabs = new OpenTabs(uploadQueue);
/** The uploads of all open pages. */
export const sharedTray = new SharedTray(uploadQueue, openTabs);
export { blockedUploads, unfinishedUploads };

uploadQueue.findElsewhere = (files) => openTabs.findElsewhere(files);

// A file that was put in place later is shown like any finished upload.
blockedUploads.onFinished((entry) => uploadQueue.announce(entry));
