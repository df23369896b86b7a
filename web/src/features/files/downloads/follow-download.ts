/**
 * Lets the browser download `url`. The session's cookie authenticates the request, so that no address contains a
 * token.
 */
export function followDownload(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
