import { blockedUploads, interruptedUploads, serverTransport } from './server-transport.ts';
import { UploadQueue } from './upload-queue.ts';

/** The page's one queue. */
export const uploadQueue = new UploadQueue(serverTransport);
export { blockedUploads, interruptedUploads };

// What gets its name after all is shown like any file that has arrived.
blockedUploads.onFinished((entry) => uploadQueue.announce(entry));
