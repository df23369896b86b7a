/** Has the browser save what lies at `url`. The session's cookie goes with the request, so no address holds a token. */
export function followDownload(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
