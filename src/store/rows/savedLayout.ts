/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '262c5ab8ee2638e7';
