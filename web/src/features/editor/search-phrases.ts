import type { TFunction } from 'i18next';

/** Translations of CodeMirror's English phrases (panels and announcements of folded lines). */
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
  'Fold line': t('fold.fold'),
  'Unfold line': t('fold.unfold'),
  unfold: t('fold.unfold'),
  'folded code': t('fold.folded'),
  'Folded lines': t('fold.folded'),
  'Unfolded lines': t('fold.unfolded'),
  to: '–',
});
