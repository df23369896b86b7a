import type { LetterCase } from '@filestead/contract/match-rules';
import type { Rule } from '@filestead/contract/rules';
import type { UserDefaults } from '@filestead/contract/settings';
import type { ComponentType } from 'react';

/** What belongs to users and is shown here too; the application hands it in. */
export interface GlobalPageComponents {
  RulesEditor: ComponentType<{
    rules: readonly Rule[];
    onChange: (rules: Rule[]) => void;
    refusal?: string | undefined;
    letterCase: LetterCase;
  }>;
  TemplateFields: ComponentType<{
    template: Omit<UserDefaults, 'scope'>;
    /** The commands as they are typed. */
    commands: string;
    onChange: (template: Omit<UserDefaults, 'scope'>, commands: string) => void;
  }>;
}
