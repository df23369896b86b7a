/** The parts of the listing that only photos need; loaded with the first folder that is shown as photos. */
export { PhotoRows } from './photo-rows.tsx';
export { PhotoView } from './photo-view.ts';
export { Scrubber } from './scrubber.tsx';
