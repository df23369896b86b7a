import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';

/** The previewer, loaded with the first file that is opened. */
export const Previewer = lazyWithTexts(
  async () => (await import('../../features/previews/previewer.tsx')).Previewer,
  'previews',
  'player',
);

const ReadOnlyCode = lazyWithTexts(
  async () => (await import('../../features/editor/read-only-code.tsx')).ReadOnlyCode,
  'editor',
);

/** Renders a text in the previewer of files that cannot be edited. */
export const renderReadOnlyCode = (text: string, name: string) => <ReadOnlyCode text={text} name={name} />;
