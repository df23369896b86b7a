import styles from './pdf-stage.module.css';

/**
 * Whether this browser shows PDF files inside a page (HTML standard §8.10.1.6); most phones do not. Those of Apple say so
 * but show the first page only, as a picture.
 */
export const canShowPdf = (): boolean =>
  navigator.pdfViewerEnabled && !(navigator.vendor.startsWith('Apple') && navigator.maxTouchPoints > 1);

/**
 * A PDF file in the browser's own viewer. The viewer does not start in a sandbox; instead the server hands out bytes as
 * PDF only after looking at them, with a policy that forbids them everything.
 */
export function PdfStage({ url, name }: { url: string; name: string }) {
  return <iframe className={styles.frame} src={url} title={name} sandbox={undefined} />;
}
