/** The address of the page of the user on the phone. */
export const youAddress = '/you';
