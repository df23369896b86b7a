/** The elements that can have the focus. */
const focusable = ':is(a[href], button, input, select, textarea, [tabindex])';

/** The selectors of each state that a pointer or the keyboard causes, in our style sheets, and the elements that can have it. */
const selectors: readonly (readonly [state: string, selector: RegExp, elements: string])[] = [
  ['hover', /:hover|\[data-hovered\]/gu, '*'],
  ['focus', /:focus-visible|\[data-focus-visible\]/gu, focusable],
  ['press', /:active|\[data-pressed\]/gu, '*'],
];

/** The part of a rule of PostCSS that is used here. */
interface Rule {
  selector: string;
}

/**
 * Makes elements inside `data-show="hover"` look as if the pointer was on them, likewise for `focus` and `press`, so that all
 * states can be seen side by side.
 */
export function withShownStates(selector: string): string {
  if (selector.includes('[data-show~')) return selector;
  return selectors.reduce(
    (changed, [state, pattern, elements]) =>
      changed.replaceAll(pattern, (found) => `:is(${found}, [data-show~='${state}'] ${elements})`),
    selector,
  );
}

/** The plugin of PostCSS for {@link withShownStates}. It runs once imported style sheets are included. */
export const showStates = {
  postcssPlugin: 'show-states',
  Rule(rule: Rule): void {
    const selector = withShownStates(rule.selector);
    if (selector !== rule.selector) rule.selector = selector;
  },
};
