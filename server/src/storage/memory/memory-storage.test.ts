import { describe } from 'vitest';
import { openStorage } from '../core/open-storage.ts';
import { hurriedClock } from '../testing/hurried-clock.ts';
import { describeStorage } from '../testing/describe-storage.ts';
import { describeKept } from '../testing/describe-kept.ts';
import { openMemoryStorage, openMinimalBackend } from './memory-storage.ts';

describeStorage('memory', openMemoryStorage);
describeStorage('memory with the core only', async (files) =>
  openStorage(openMinimalBackend(files, hurriedClock)),
);

describe('memory', () => describeKept(openMemoryStorage));
describe('memory with the core only', () =>
  describeKept(async (files) => openStorage(openMinimalBackend(files))));
