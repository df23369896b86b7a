import { describeStorage } from '../testing/describe-storage.ts';
import { openMemoryStorage } from './memory-storage.ts';

describeStorage('memory', openMemoryStorage);
