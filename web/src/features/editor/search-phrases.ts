import type { TFunction } from 'i18next';

/** CodeMirror's English phrases (its search and go-to-line panels) and what the page says instead. */
export const searchPhrases = (t: TFunction<'editor'>): Record<string, string> => ({
  Find: t('search.find'),
  Replace: t('search.replace'),
  next: t('search.next'),
  previous: t('search.previous'),
  all: t('search.all'),
  'match case': t('search.matchCase'),
  'by word': t('search.byWord'),
  regexp: t('search.regexp'),
  replace: t('search.replaceOne'),
  'replace all': t('search.replaceAll'),
  close: t('search.close'),
  'current match': t('search.currentMatch'),
  'on line': t('search.onLine'),
  'replaced match on line $': t('search.replacedMatch'),
  'replaced $ matches': t('search.replacedMatches'),
  'Go to line': t('search.goToLine'),
  go: t('search.go'),
});
