/** Jobs whose results this page handles, so that it does not report them otherwise. */
const ownJobs = new Set<string>();

/** Records that this page handles the results of a job. */
export const addOwnJob = (id: string): void => void ownJobs.add(id);

/** Whether this page handles the results of a job. */
export const isOwnJob = (id: string): boolean => ownJobs.has(id);
