import { type ResourceLimits, Worker } from 'node:worker_threads';

/**
 * Starts a worker thread from the script `name` of the bundled product, or from its source with the
 * development loader. The worker does not keep the process alive.
 * @param name of the entry point in the bundle, without `.js`
 * @param source the module when the server runs from its source
 * @param workerData is passed to the script
 * @param resourceLimits of the thread; beyond them it ends with an error
 */
export function startWorkerScript(
  name: string,
  source: URL,
  workerData?: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  const options = { trackUnmanagedFds: false, workerData, resourceLimits };
  let worker: Worker;
  if (import.meta.url.endsWith('.ts')) {
    const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
    const script = JSON.stringify(source.href);
    worker = new Worker(
      `import(${loader}).then(({ register }) => { register(); return import(${script}); })`,
      { eval: true, execArgv: [], ...options },
    );
  } else {
    worker = new Worker(new URL(`./${name}.js`, import.meta.url), options);
  }
  worker.unref();
  return worker;
}
