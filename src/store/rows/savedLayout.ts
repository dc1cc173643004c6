/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '64b40cd41209348e';
