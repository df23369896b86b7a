import styles from './button.module.css';
import { classes } from '../classes.ts';
import link from './link-button.module.css';

export type LinkVariant = 'primary' | 'secondary' | 'quiet';

/** Returns the attributes that make a link of any kind look like a button. */
export const buttonLook = (variant: LinkVariant = 'secondary', className?: string) => ({
  'data-variant': variant,
  className: classes(styles.button, link.link, className),
});
