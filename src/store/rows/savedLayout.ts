/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '71f0b41c2370d1b0';
