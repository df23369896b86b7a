import styles from './pdf-stage.module.css';

/**
 * Whether this browser shows PDF files inside a page (HTML standard §8.10.1.6); most phones do not. Apple's touch
 * devices report that they do, but show only the first page, as a picture.
 */
export const canShowPdf = (): boolean =>
  navigator.pdfViewerEnabled && !(navigator.vendor.startsWith('Apple') && navigator.maxTouchPoints > 1);

/**
 * Shows a PDF file in the browser's own viewer, which does not start in a sandbox. Instead the server checks that the
 * bytes are a PDF and sends a policy that forbids all other requests and scripts.
 */
export function PdfStage({ url, name }: { url: string; name: string }) {
  return <iframe className={styles.frame} src={url} title={name} sandbox={undefined} />;
}
