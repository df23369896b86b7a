/** A script, detected by letters that only a font for it contains. */
export interface Script {
  /** The language of the sample, so that browsers choose the right forms of shared characters (BCP 47). */
  readonly language: string;
  /** Letters whose presence means that the font supports the script. */
  readonly probe: string;
  readonly sample: string;
}

/** Detected scripts, each with a sentence that uses many of its letters. */
export const scripts: readonly Script[] = [
  { language: 'en', probe: 'Aag', sample: 'The quick brown fox jumps over the lazy dog' },
  { language: 'el', probe: 'Ωξ', sample: 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία' },
  { language: 'ru', probe: 'Жя', sample: 'Съешь же ещё этих мягких французских булок' },
  { language: 'he', probe: 'שק', sample: 'דג סקרן שט בים מאוכזב ולפתע מצא חברה' },
  { language: 'ar', probe: 'عق', sample: 'نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر' },
  { language: 'hi', probe: 'कष', sample: 'ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश' },
  { language: 'th', probe: 'กษ', sample: 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า' },
  { language: 'ja', probe: 'いロ', sample: 'いろはにほへと　ちりぬるを　イロハニホヘト' },
  { language: 'ko', probe: '한글', sample: '다람쥐 헌 쳇바퀴에 타고파' },
  { language: 'zh-Hans', probe: '汉这', sample: '视野无限广，窗外有蓝天' },
  { language: 'zh-Hant', probe: '漢這', sample: '天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。' },
];

/** Whether a font has all letters of `text`; spaces and punctuation are not checked. */
export type HasLetters = (text: string) => boolean;

/** Returns the scripts that a font supports. */
export const detectScripts = (has: HasLetters): readonly Script[] =>
  scripts.filter(({ probe }) => has(probe));

/** The scale of the probe font, in percent. */
const probeScale = 300;
let probes = 0;

/**
 * Detects which letters the font in `bytes` contains. The font is loaded a second time at three times its width; a
 * letter that is not that wide comes from a fallback font. Call `release` when done.
 */
export async function probeLetters(bytes: ArrayBuffer): Promise<{ has: HasLetters; release: () => void }> {
  probes += 1;
  const family = `probe-${probes}`;
  const descriptors: FontFaceDescriptors & { sizeAdjust: string } = { sizeAdjust: `${probeScale}%` };
  const probe = await new FontFace(family, bytes, descriptors).load();
  document.fonts.add(probe);
  const context = document.createElement('canvas').getContext('2d');
  const measureWidth = (letter: string, families: string): number => {
    if (!context) return 0;
    context.font = `100px ${families}`;
    return context.measureText(letter).width;
  };
  const hasLetter = (letter: string): boolean =>
    ['serif', 'monospace'].every(
      (other) => Math.abs(measureWidth(letter, `"${family}", ${other}`) - measureWidth(letter, other)) > 1,
    );
  return {
    has: (text) => [...text].filter((character) => /[\p{L}\p{N}]/u.test(character)).every(hasLetter),
    release: () => void document.fonts.delete(probe),
  };
}
