import type { PageConfig } from '@filestead/contract/page-config';

/** Name of an instance that its administrator has not named. */
const defaultName = 'Filestead';
/** Theme color if none was chosen (docs/reference/filebrowser-api.md §2.2). */
const defaultColor = '#455a64';

/**
 * Renders the web manifest for installing the application. `built` contains the application's own members
 * (such as share targets); branding and addresses below the base URL come from `config`.
 */
export function renderManifest(built: Readonly<Record<string, unknown>>, config: PageConfig): string {
  const { BaseURL, StaticURL } = config;
  const name = config.Name === '' ? defaultName : config.Name;
  const icon = (file: string, sizes: string, type: string, purpose = 'any'): object => ({
    src: `${StaticURL}/img/${file}`,
    sizes,
    type,
    purpose,
  });
  return JSON.stringify({
    ...built,
    id: `${BaseURL}/`,
    name,
    short_name: name,
    start_url: `${BaseURL}/`,
    scope: `${BaseURL}/`,
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: config.Color === '' ? defaultColor : config.Color,
    icons: [
      icon('logo.svg', 'any', 'image/svg+xml'),
      icon('icons/android-chrome-192x192.png', '192x192', 'image/png'),
      icon('icons/android-chrome-512x512.png', '512x512', 'image/png'),
      icon('icons/maskable-512x512.png', '512x512', 'image/png', 'maskable'),
    ],
  });
}
