import type { Page } from '@playwright/test';

/** A drawn landscape in place of a photo: colors of the sky, the sun, and the ground from back to front. */
interface Scene {
  readonly sky: readonly [top: string, bottom: string];
  readonly sun: string;
  readonly ground: readonly string[];
  /** An object in front of the landscape. */
  readonly subject?: 'tower' | 'bridge' | 'tram' | 'boat' | 'trees';
}

const scenes: readonly Scene[] = [
  { sky: ['#f7a860', '#d4515a'], sun: '#fbe6cd', ground: ['#7a3b63', '#3d2a5c'] },
  { sky: ['#a8d4ef', '#e9e4d4'], sun: '#fff6e0', ground: ['#41708a', '#35607a'], subject: 'tower' },
  { sky: ['#2f4a63', '#d98a6c'], sun: '#fbe6cd', ground: ['#23263f', '#1b1d33'], subject: 'bridge' },
  { sky: ['#cfe6ea', '#f4efc4'], sun: '#fff6e0', ground: ['#84a983', '#437f55'], subject: 'trees' },
  { sky: ['#22224a', '#d18852'], sun: '#fbe6cd', ground: ['#6b4a43', '#1f1930'], subject: 'tram' },
  { sky: ['#8ecbe8', '#d9eef2'], sun: '#fff6e0', ground: ['#3f86a6', '#2d6f92'], subject: 'boat' },
  { sky: ['#f4c9a0', '#f1e3c6'], sun: '#fffaf0', ground: ['#c99b6c', '#8f6a4b'], subject: 'trees' },
  { sky: ['#33506b', '#8fa9bd'], sun: '#e8eef2', ground: ['#4b5f6b', '#2c3c46'] },
];

const subjects: Readonly<Record<NonNullable<Scene['subject']>, string>> = {
  tower:
    '<path fill="#d9cba9" d="M330 210h52v70h-52zM322 280h68v34h-68zM334 196h10v14h-10zM351 190h10v20h-10zM368 196h10v14h-10z"/>',
  bridge:
    '<g fill="none" stroke="#c24631" stroke-width="7"><path d="M0 238q70-10 125-82 70 150 210 0 60 80 145 86M0 250h480"/><path d="M125 150v160M335 150v160" stroke-width="11"/></g>',
  tram: '<rect x="300" y="226" width="112" height="72" rx="9" fill="#f2bd2c"/><rect x="312" y="238" width="88" height="22" rx="3" fill="#fdf3d4"/><circle cx="328" cy="302" r="10" fill="#222"/><circle cx="386" cy="302" r="10" fill="#222"/>',
  boat: '<path fill="#fff" d="m250 150 70 110h-70z"/><path fill="#e9b04a" d="m242 172-46 88h46z"/><path fill="#7a4a2c" d="M180 270h160l-26 32H206z"/>',
  trees:
    '<g fill="#2f5f42"><circle cx="90" cy="216" r="44"/><circle cx="140" cy="232" r="34"/><path d="M86 216h9v80h-9zM136 232h8v60h-8z"/></g>',
};

function svgOf(scene: Scene, width: number, height: number, seed: number): string {
  const [top, bottom] = scene.sky;
  const sunX = 110 + ((seed * 97) % 260);
  const sunY = 70 + ((seed * 53) % 70);
  const ground = scene.ground
    .map((color, index) => {
      const level = 230 + index * 50;
      const bend = 30 + ((seed * 31 + index * 47) % 50);
      return `<path fill="${color}" d="M-20 ${level}q120-${bend} 240 6t280-${bend}v420h-520Z"/>`;
    })
    .join('');
  const subject = scene.subject === undefined ? '' : subjects[scene.subject];
  // The landscape is 480 × 360 and is cropped to the proportions of the photo.
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 480 360" preserveAspectRatio="xMidYMid slice"><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient><path fill="url(#sky)" d="M-500-500h1500v1500H-500Z"/><circle cx="${sunX}" cy="${sunY}" r="32" fill="${scene.sun}"/>${ground}${subject}</svg>`;
}

/** Draws a landscape as a JPEG, the same for the same number. Leaves `page` on an empty page. */
export async function drawPhoto(page: Page, number: number, width: number, height: number): Promise<Buffer> {
  const scene = scenes[number % scenes.length] as Scene;
  await page.goto('about:blank');
  const base64 = await page.evaluate(
    async ([svg, pixelsAcross, pixelsDown]) => {
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = pixelsAcross;
      canvas.height = pixelsDown;
      canvas.getContext('2d')?.drawImage(image, 0, 0, pixelsAcross, pixelsDown);
      return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? '';
    },
    [svgOf(scene, width, height, number), width, height] as const,
  );
  return Buffer.from(base64, 'base64');
}
