/** The version of the product, equal to that of the packages. */
export const version = '0.1.0';
