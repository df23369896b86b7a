import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { loadBytes } from '../loading/load-bytes.ts';
import { LoadedDocument, type DocumentViewProps } from '../loading/loaded-document.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ScrollArea } from '../scroll-area.tsx';
import styles from './font-view.module.css';
import { probeLetters, detectScripts, type Script } from './scripts.ts';

/** Maximum size of a font that is loaded. */
const limitBytes = 32 * 1024 * 1024;

/** A loaded font and the properties that its page shows. */
interface Specimen {
  readonly face: FontFace;
  readonly scripts: readonly Script[];
  /** Whether the font has glyphs for the sample sentence in the user's language. */
  readonly hasSentence: boolean;
}

/** Sizes of the specimen, in CSS pixels. */
const sizesPx = [14, 18, 24, 36, 48, 72] as const;
/** Characters that most fonts have, in rows. */
const letters = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '.,:;!?&@#%*()[]{}/\\“”‘’–—€$£',
];

let loadedFonts = 0;

/** Shows a font: its letters, samples of the scripts it supports, and an editable sentence in several sizes. */
export function FontView({ url, name, renderProblem }: DocumentViewProps) {
  const { t } = useTranslation('previews');
  const sentence = t('font.sentence');
  const load = useCallback(
    async (signal: AbortSignal): Promise<Specimen> => {
      const bytes = await loadBytes(url, { signal, limitBytes });
      loadedFonts += 1;
      // Browsers sanitize fonts before they use them.
      const face = await new FontFace(`preview-${loadedFonts}`, bytes.buffer).load();
      const { has, release } = await probeLetters(bytes.buffer);
      const specimen = { face, scripts: detectScripts(has), hasSentence: has(sentence) };
      release();
      return specimen;
    },
    [url, sentence],
  );
  const loaded = useLoaded(load);
  return (
    <LoadedDocument loaded={loaded} name={name} renderProblem={renderProblem}>
      {(specimen) => <SpecimenPage {...specimen} name={name} />}
    </LoadedDocument>
  );
}

function SpecimenPage({ face, scripts, hasSentence, name }: Specimen & { name: string }) {
  const { t } = useTranslation('previews');
  const [sample, setSample] = useState('');
  useEffect(() => {
    document.fonts.add(face);
    return () => void document.fonts.delete(face);
  }, [face]);
  const fontFamily = `"${face.family.replaceAll('"', '')}"`;
  const sentence = t('font.sentence');
  // A font without the user's script shows a sample of its own script instead of glyphs from a fallback font.
  const nativeScript = hasSentence ? null : (scripts[0] ?? null);
  const shown = sample.trim() || nativeScript?.sample || sentence;
  return (
    <ScrollArea className={styles.scroller} label={name}>
      <div className={styles.field}>
        <TextField
          label={t('font.sample')}
          value={sample}
          onChange={setSample}
          placeholder={nativeScript?.sample ?? sentence}
        />
      </div>
      <div className={styles.sizes}>
        {sizesPx.map((sizePx) => (
          <p key={sizePx} className={styles.line}>
            <span className={styles.size} aria-hidden="true">
              {sizePx}
            </span>
            <span
              dir="auto"
              lang={sample.trim() === '' ? nativeScript?.language : undefined}
              className={styles.sample}
              style={{ fontFamily, fontSize: sizePx }}
            >
              {shown}
            </span>
          </p>
        ))}
      </div>
      {scripts.length > 1 && (
        <div className={styles.scripts} style={{ fontFamily }}>
          {scripts.map(({ language, sample: text }) => (
            <p key={language} lang={language} dir="auto">
              {text}
            </p>
          ))}
        </div>
      )}
      {scripts.some(({ language }) => language === 'en') && (
        <div className={styles.letters} style={{ fontFamily }} aria-hidden="true">
          {letters.map((row) => (
            <p key={row}>{row}</p>
          ))}
        </div>
      )}
    </ScrollArea>
  );
}
