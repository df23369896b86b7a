import { blockedUploads, interruptedUploads, serverTransport } from './server-transport.ts';
import { UploadQueue } from './upload-queue.ts';

/** The page's single queue. */
export const uploadQueue = new UploadQueue(serverTransport);
export { blockedUploads, interruptedUploads };

// A file that was put in place later is shown like any finished upload.
blockedUploads.onFinished((entry) => uploadQueue.announce(entry));
