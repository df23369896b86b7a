import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../../ui/text-field.tsx';
import { loadBytes } from '../load-bytes.ts';
import { LoadedDocument, type DocumentViewProps } from '../loaded-document.tsx';
import { useLoaded } from '../use-loaded.ts';
import { ScrollArea } from '../scroll-area.tsx';
import styles from './font-view.module.css';

/** Larger fonts are not read into the page. */
const limitBytes = 32 * 1024 * 1024;
/** Sizes of the specimen, in CSS pixels. */
const sizesPx = [14, 18, 24, 36, 48, 72] as const;
/** The letters that most fonts have, in rows. */
const letters = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '.,:;!?&@#%*()[]{}/\\“”‘’–—€$£',
];

let loadedFonts = 0;

/** A font: its letters, and a sentence of one's own in several sizes. */
export function FontView({ url, name, renderProblem }: DocumentViewProps) {
  const load = useCallback(
    async (signal: AbortSignal) => {
      const bytes = await loadBytes(url, { signal, limitBytes });
      loadedFonts += 1;
      // The browser checks and rewrites fonts before it uses them.
      return new FontFace(`preview-${loadedFonts}`, bytes.buffer).load();
    },
    [url],
  );
  const loaded = useLoaded(load);
  return (
    <LoadedDocument loaded={loaded} name={name} renderProblem={renderProblem}>
      {(font) => <Specimen font={font} name={name} />}
    </LoadedDocument>
  );
}

function Specimen({ font, name }: { font: FontFace; name: string }) {
  const { t } = useTranslation('previews');
  const [sample, setSample] = useState('');
  useEffect(() => {
    document.fonts.add(font);
    return () => void document.fonts.delete(font);
  }, [font]);
  const fontFamily = `"${font.family.replaceAll('"', '')}"`;
  return (
    <ScrollArea className={styles.scroller} label={name}>
      <div className={styles.field}>
        <TextField
          label={t('font.sample')}
          value={sample}
          onChange={setSample}
          placeholder={t('font.sentence')}
        />
      </div>
      <div className={styles.sizes}>
        {sizesPx.map((sizePx) => (
          <p key={sizePx} className={styles.line}>
            <span className={styles.size} aria-hidden="true">
              {sizePx}
            </span>
            <span dir="auto" style={{ fontFamily, fontSize: sizePx }}>
              {sample.trim() || t('font.sentence')}
            </span>
          </p>
        ))}
      </div>
      <div className={styles.letters} style={{ fontFamily }} aria-hidden="true">
        {letters.map((row) => (
          <p key={row}>{row}</p>
        ))}
      </div>
    </ScrollArea>
  );
}
