import { type ResourceLimits, Worker } from 'node:worker_threads';
import { bundledForTests } from './test-script.ts';

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
  const bundled = import.meta.url.endsWith('.ts')
    ? bundledForTests(name)
    : new URL(`./${name}.js`, import.meta.url);
  let worker: Worker;
  if (bundled === undefined) {
    const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
    const script = JSON.stringify(source.href);
    worker = new Worker(
      `import(${loader}).then(({ register }) => { register(); return import(${script}); })`,
      { eval: true, execArgv: [], ...options },
    );
  } else {
    worker = new Worker(bundled, options);
  }
  worker.unref();
  return worker;
}
