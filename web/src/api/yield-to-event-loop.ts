/** The time after which long work yields to the event loop: less than a frame, in ms. */
const sliceMs = 12;

/** Returns a function to call in a long loop: it yields to the event loop when the loop has taken long enough, and returns undefined otherwise. */
export function createYielder(): () => Promise<void> | undefined {
  let end = performance.now() + sliceMs;
  const pause = async (): Promise<void> => {
    await yieldToEventLoop();
    end = performance.now() + sliceMs;
  };
  return () => (performance.now() < end ? undefined : pause());
}

/** Yields to the event loop in the middle of a long loop, so that the browser can paint and handle input. */
export function yieldToEventLoop(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
