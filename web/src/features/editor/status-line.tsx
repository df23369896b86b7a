import { editorThemes, type EditorThemeName } from '@filestead/contract/values/editor-themes';
import { useTranslation } from '../../i18n/use-translation.ts';
import { formatNumber } from '../../i18n/format.ts';
import { AArrowDown, AArrowUp, TextWrap } from '../../ui/icons.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { clampFontSize, maxFontSize, minFontSize, tabSizes, type EditorSettings } from './editor-settings.ts';
import type { TextForm } from './document/line-endings.ts';
import styles from './status-line.module.css';

interface StatusLineProps {
  /** The name of the language; null until it is loaded. */
  language: string | null;
  form: TextForm;
  isUtf8: boolean;
  caret: { line: number; column: number };
  settings: EditorSettings;
  onSettings: (settings: EditorSettings) => void;
  /** The chosen theme; null for the colors of the page. */
  theme: EditorThemeName | null;
  /** Absent when the choice cannot be saved. */
  onTheme?: ((theme: EditorThemeName | '') => void) | undefined;
  onGoToLine: () => void;
}

const endingNames = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' } as const;

/** Shows the language and encoding of the file and the caret position, with the display settings. */
export function StatusLine({
  language,
  form,
  isUtf8,
  caret,
  settings,
  onSettings,
  theme,
  onTheme,
  onGoToLine,
}: StatusLineProps) {
  const { t } = useTranslation('editor');
  const position = t('status.position', {
    line: formatNumber(caret.line),
    column: formatNumber(caret.column),
  });
  return (
    <div className={styles.line} role="group" aria-label={t('status.label')}>
      <span>{language ?? t('status.plainText')}</span>
      <span className={styles.detail} title={t('status.endingsHint')}>
        {form.others.size > 0 ? t('status.mixedEndings') : endingNames[form.ending]}
      </span>
      <span className={styles.detail}>
        {isUtf8 ? (form.hasByteOrderMark ? 'UTF-8 BOM' : 'UTF-8') : t('status.notUtf8')}
      </span>
      <button
        type="button"
        className={styles.position}
        title={`${t('status.goToLine')} (Ctrl+G)`}
        aria-label={t('status.positionAndGo', { position })}
        aria-keyshortcuts="Control+G"
        onClick={onGoToLine}
      >
        {position}
      </button>
      {onTheme && (
        <select
          className={styles.select}
          aria-label={t('status.colors')}
          title={t('status.colors')}
          value={theme ?? ''}
          onChange={(event) => {
            const chosen = editorThemes.find(({ name }) => name === event.target.value);
            onTheme(chosen?.name ?? '');
          }}
        >
          <option value="">{t('status.pageColors')}</option>
          {editorThemes.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      )}
      <select
        className={styles.select}
        aria-label={t('status.tabSize')}
        value={settings.tabSize}
        onChange={(event) => {
          const tabSize = tabSizes.find((size) => String(size) === event.target.value);
          if (tabSize) onSettings({ ...settings, tabSize });
        }}
      >
        {tabSizes.map((size) => (
          <option key={size} value={size}>
            {t('status.tabs', { size: formatNumber(size) })}
          </option>
        ))}
      </select>
      <span className={styles.font} role="group" aria-label={t('status.font', { size: settings.fontSize })}>
        <IconButton
          size="small"
          label={t('status.smaller')}
          icon={<AArrowDown />}
          isDisabled={settings.fontSize <= minFontSize}
          onClick={() => onSettings({ ...settings, fontSize: clampFontSize(settings.fontSize - 1) })}
        />
        <IconButton
          size="small"
          label={t('status.larger')}
          icon={<AArrowUp />}
          isDisabled={settings.fontSize >= maxFontSize}
          onClick={() => onSettings({ ...settings, fontSize: clampFontSize(settings.fontSize + 1) })}
        />
      </span>
      <IconButton
        size="small"
        label={t('status.wrap')}
        icon={<TextWrap />}
        isPressed={settings.isWrapped}
        onClick={() => onSettings({ ...settings, isWrapped: !settings.isWrapped })}
      />
    </div>
  );
}
