import styles from './pdf-stage.module.css';

/**
 * Shows a PDF file in the browser's own viewer, which does not start in a sandbox. Instead the server checks that the
 * bytes are a PDF and sends a policy that forbids all other requests and scripts.
 */
export function PdfStage({ url, name }: { url: string; name: string }) {
  return <iframe className={styles.frame} src={url} title={name} sandbox={undefined} />;
}
