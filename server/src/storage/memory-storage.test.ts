import { describeStorage } from './describe-storage.ts';
import { openMemoryStorage } from './memory-storage.ts';

describeStorage('memory', openMemoryStorage);
