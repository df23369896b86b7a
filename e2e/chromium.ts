import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';

const executablePath =
  process.env['FILESTEAD_CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  );

/** The options with which Chromium is started; without `executablePath` if none is installed. */
export const chromiumOptions = {
  ...(executablePath !== undefined && { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-sync',
    '--no-first-run',
  ],
} satisfies LaunchOptions;
