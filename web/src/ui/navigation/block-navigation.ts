/** Handles an attempt to navigate. `proceed` repeats the attempt; call it after the blocker is removed. */
type Blocker = (proceed: () => void) => void;

/** The blockers of the page; the last one decides. */
const blockers: Blocker[] = [];

/** Calls `proceed` at once, or passes it to the blocker of the page, which calls it if the user agrees to leave. */
export function navigateWhenAllowed(proceed: () => void): void {
  const blocker = blockers.at(-1);
  if (blocker) blocker(proceed);
  else proceed();
}

/** Whether something blocks navigation, such as unsaved changes. */
export const isNavigationBlocked = (): boolean => blockers.length > 0;

/** Blocks navigation within the app, back and forward, until the returned function is called. */
export function blockNavigation(blocker: Blocker): () => void {
  blockers.push(blocker);
  return () => {
    const position = blockers.indexOf(blocker);
    if (position >= 0) blockers.splice(position, 1);
  };
}
