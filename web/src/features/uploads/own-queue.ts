import { interruptedUploads, serverTransport } from './server-transport.ts';
import { UploadQueue } from './upload-queue.ts';

/** The page's one queue. */
export const uploadQueue = new UploadQueue(serverTransport);
export { interruptedUploads };
