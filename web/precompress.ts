import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const toBrotli = promisify(brotliCompress);

const textual = /\.(?:js|css|svg|json|webmanifest|txt)$/u;
/** Smaller files fit into one network packet either way. */
const smallestBytes = 1024;
/** The size of Node's thread pool. */
const concurrency = 4;

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < smallestBytes) return;
  const brotli = await toBrotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  if (brotli.length < content.length) await writeFile(`${file}.br`, brotli);
}

/**
 * Writes a `.br` beside every text file of the build, because the best compression takes seconds. The server makes the gzip forms
 * itself, for plain HTTP, where browsers do not accept Brotli.
 */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, 'static');
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && textual.test(entry.name));
      const queue = files.values();
      const compressAll = async () => {
        for (const entry of queue) await compressFile(join(entry.parentPath, entry.name));
      };
      await Promise.all(Array.from({ length: concurrency }, compressAll));
    },
  };
}
