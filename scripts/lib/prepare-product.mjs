// Makes what the later parts of `npm test` use: the build, its package installed as users install it, and the browsers.
import { ensureChromium, installEngines } from './browsers.mjs';
import { installProduct } from './installed.mjs';

await installProduct();
ensureChromium();
if (process.env.CI) installEngines();
