/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '6b7ad3b1b1331f3c';
