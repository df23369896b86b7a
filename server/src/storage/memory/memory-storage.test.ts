import { openStorage } from '../core/open-storage.ts';
import { describeStorage } from '../testing/describe-storage.ts';
import { openMemoryStorage, openMinimalBackend } from './memory-storage.ts';

describeStorage('memory', openMemoryStorage);
describeStorage('memory with the core only', async (files) => openStorage(openMinimalBackend(files)));
