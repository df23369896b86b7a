import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { EventBarrier } from '../overlays/event-barrier.tsx';
import field from './field.module.css';
import type { FieldTexts } from './field.tsx';
import { Check, ChevronDown } from '../icons.ts';
import menu from '../overlays/menu.module.css';
import '../outer-press.ts';
import { useOpeningCount } from '../overlays/use-opening-count.ts';
import styles from './select.module.css';

export interface SelectProps<Value extends string> extends FieldTexts {
  value: Value | null;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; description?: string; icon?: ReactNode; lang?: string }[];
  placeholder?: string | undefined;
  isDisabled?: boolean | undefined;
}

/** A single choice from many options. Not for the first screen: it imports the overlays. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const {
    label,
    isLabelHidden = false,
    description,
    errorMessage,
    value,
    onChange,
    options,
    isDisabled = false,
  } = props;
  const { t } = useTranslation('common');
  const { languageTag } = useLocale();
  const [isOpen, setOpen] = useState(false);
  const openings = useOpeningCount(isOpen);
  return (
    <I18nProvider locale={languageTag}>
      <AriaSelect
        className={field.field ?? ''}
        data-control="field"
        value={value}
        onChange={(key) => {
          const chosen = options.find((option) => option.value === key);
          if (chosen) onChange(chosen.value);
        }}
        isOpen={isOpen}
        onOpenChange={setOpen}
        isDisabled={isDisabled}
        isInvalid={Boolean(errorMessage)}
        placeholder={props.placeholder ?? t('selectPlaceholder')}
      >
        <Label data-part="label" className={isLabelHidden ? 'visually-hidden' : (field.label ?? '')}>
          {label}
        </Label>
        <Button className={styles.button ?? ''} data-invalid={Boolean(errorMessage) || undefined}>
          <SelectValue className={styles.value ?? ''} />
          <ChevronDown className={styles.arrow} />
        </Button>
        {description && !errorMessage && (
          <Text slot="description" data-part="description" className={field.description}>
            {description}
          </Text>
        )}
        {errorMessage && (
          <Text slot="errorMessage" role="alert" data-part="error" className={field.error}>
            {errorMessage}
          </Text>
        )}
        <EventBarrier>
          {/* As in a menu, a list that is opened again while it is fading out starts again. */}
          <Popover
            key={openings}
            className={`${menu.popover} ${styles.popover}`}
            data-sheet
            offset={4}
            containerPadding={8}
          >
            <ListBox className={menu.menu ?? ''} items={options}>
              {options.map((option) => (
                <ListBoxItem
                  key={option.value}
                  id={option.value}
                  textValue={option.label}
                  className={menu.item ?? ''}
                >
                  {option.icon}
                  <span className={menu.texts}>
                    <Text slot="label" lang={option.lang}>
                      {option.label}
                    </Text>
                    {option.description !== undefined && (
                      <Text slot="description" className={menu.description}>
                        {option.description}
                      </Text>
                    )}
                  </span>
                  <Check className={menu.check} />
                </ListBoxItem>
              ))}
            </ListBox>
          </Popover>
        </EventBarrier>
      </AriaSelect>
    </I18nProvider>
  );
}
