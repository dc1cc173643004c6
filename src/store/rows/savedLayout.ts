/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '6416ba38631f94b5';
