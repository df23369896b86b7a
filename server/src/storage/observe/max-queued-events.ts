import fs from 'node:fs';

/** The default size of the event queue of Linux, used when the actual size cannot be read. */
const defaultQueuedEvents = 16_384;

/** Returns the number of events of watched folders that the operating system queues. */
export function readMaxQueuedEvents(): number {
  try {
    const events = Number(fs.readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
    return Number.isSafeInteger(events) && events > 0 ? events : defaultQueuedEvents;
  } catch {
    return defaultQueuedEvents;
  }
}
