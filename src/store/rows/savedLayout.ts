/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '24b2198eadf1021f';
