import { inject } from 'vitest';

// Read by `run-cli.ts` and `run-main.ts`.
process.env.FILESTEAD_PROGRAM = inject('program');
process.env.FILESTEAD_NODE = inject('node');
