/**
 * Lets the browser download `url`. The session's cookie authenticates the request, so that no address contains a
 * token. Without `name` the response names the file.
 */
export function followDownload(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
