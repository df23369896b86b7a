// Sets the theme before the first paint. Load it as a plain blocking script in the head, after the page configuration:
// <script src="…/static/early-theme.js"></script>. web/src/styles/theme.ts continues from here.
(function () {
  var theme = null;
  try {
    theme = localStorage.getItem('filestead.theme');
  } catch {
    // Without storage the administrator's choice stands.
  }
  if (theme === null && window.FileBrowser) theme = window.FileBrowser.Theme;
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
