/** The version of the product; the same as in the packages. */
export const version = '0.1.0';
