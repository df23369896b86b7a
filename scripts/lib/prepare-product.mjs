// Installs Chromium if it is missing, and builds and installs the product: run beside the unit tests, ahead of the tests that use it.
import { ensureChromium } from './chromium.mjs';
import { installProduct } from './installed.mjs';

ensureChromium();
await installProduct();
