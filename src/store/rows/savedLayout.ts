/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '0d497017ef0c01d8';
