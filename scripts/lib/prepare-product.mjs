// Makes what the later parts of `npm test` use: the build, its package installed as users install it, the browsers, and in CI what the
// quick tests of the packages need.
import { ensureChromium, installEngines } from './browsers.mjs';
import { installProduct } from './installed.mjs';
import { preparePackages } from './prepare-packages.mjs';

await installProduct();
ensureChromium();
if (process.env.CI) {
  installEngines();
  await preparePackages();
}
