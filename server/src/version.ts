/** The version of the product, equal to that of the packages. */
export const version = '0.1.0';

/**
 * Address of a JSON document about the newest release, for `version --check`; null as long as the project has no public repository.
 * The release command derives it from the `repository` of `package.json`.
 */
export const releasesAddress: string | null = null;
