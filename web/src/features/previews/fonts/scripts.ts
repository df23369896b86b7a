/** A script, by letters that only a font for it has. */
export interface Script {
  /** The language that the sample is written in, so that the right forms of shared letters are taken (BCP 47). */
  readonly language: string;
  /** A font that has these has the script. */
  readonly probe: string;
  readonly sample: string;
}

/** Scripts that are looked for, each with a sentence that holds many of its letters. */
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

/** Whether a font has all letters of `text` (blanks and signs are not asked for). */
export type HasLetters = (text: string) => boolean;

/** The scripts that a font is made for. */
export const scriptsOf = (has: HasLetters): readonly Script[] => scripts.filter(({ probe }) => has(probe));

/** How much larger the letters of a probing font are, in percent. */
const probeScale = 300;
let probes = 0;

/**
 * Tells which letters the font in `bytes` has: by a copy of it whose letters are three times as wide, so that letters which
 * the browser takes from elsewhere give themselves away by their width. Call `release` in the end.
 */
export async function lettersOf(bytes: ArrayBuffer): Promise<{ has: HasLetters; release: () => void }> {
  probes += 1;
  const family = `probe-${probes}`;
  const descriptors: FontFaceDescriptors & { sizeAdjust: string } = { sizeAdjust: `${probeScale}%` };
  const probe = await new FontFace(family, bytes, descriptors).load();
  document.fonts.add(probe);
  const context = document.createElement('canvas').getContext('2d');
  const widthOf = (letter: string, families: string): number => {
    if (!context) return 0;
    context.font = `100px ${families}`;
    return context.measureText(letter).width;
  };
  const hasLetter = (letter: string): boolean =>
    ['serif', 'monospace'].every(
      (other) => Math.abs(widthOf(letter, `"${family}", ${other}`) - widthOf(letter, other)) > 1,
    );
  return {
    has: (text) => [...text].filter((sign) => /[\p{L}\p{N}]/u.test(sign)).every(hasLetter),
    release: () => void document.fonts.delete(probe),
  };
}
