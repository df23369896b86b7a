import type { ComponentProps } from 'react';
import { ChevronRight } from '../icons.ts';
import styles from './path-link.module.css';
import { Link } from './router.tsx';

/** A step of the path in the bar of a page, which leads to a folder or page above. */
export const PathLink = (props: ComponentProps<typeof Link>) => <Link {...props} className={styles.link} />;

/** The arrow between two steps of a path. */
export const PathArrow = () => <ChevronRight className={styles.arrow} aria-hidden="true" />;
