import { missingLibrary } from './decoder/decoder.ts';

/** Something that previews need and that a machine may lack. */
export type MissingTool = 'decoder' | 'ffmpeg';

const texts: Readonly<Record<MissingTool, string>> = {
  decoder: `${missingLibrary.text}; ${missingLibrary.fix}`,
  ffmpeg: 'ffmpeg does not start: videos have no thumbnails; install it and start the server again',
};

/** Returns a function that passes the consequence and the remedy of each missing tool to `report`, once. */
export function reportMissingOnce(report: (text: string) => void): (tool: MissingTool) => void {
  const reported = new Set<MissingTool>();
  return (tool) => {
    if (reported.has(tool)) return;
    reported.add(tool);
    report(texts[tool]);
  };
}
