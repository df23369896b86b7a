// The parts of the sidebar that are loaded after the first screen.
export { FavoritesSection } from '../marks/favorites-section.tsx';
export { SharedCount } from '../shares/shared-count.tsx';
import '../../ui/feedback/preload-drawings.ts';
