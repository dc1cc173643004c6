/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'd9cae403e70ea3f0';
