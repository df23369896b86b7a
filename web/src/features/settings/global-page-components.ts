import type { LetterCase } from '@filestead/contract/match-rules';
import type { Rule } from '@filestead/contract/rules';
import type { UserDefaults } from '@filestead/contract/settings';
import type { ComponentType } from 'react';

/** Components of the users feature that the page contains; passed in by the application. */
export interface GlobalPageComponents {
  RulesEditor: ComponentType<{
    rules: readonly Rule[];
    onChange: (rules: Rule[]) => void;
    refusal?: string | undefined;
    letterCase: LetterCase;
  }>;
  TemplateFields: ComponentType<{
    template: Omit<UserDefaults, 'scope'>;
    /** The commands as typed. */
    commands: string;
    onChange: (template: Omit<UserDefaults, 'scope'>, commands: string) => void;
    /** Called when a typed text is complete. */
    onCommit: () => void;
  }>;
}
