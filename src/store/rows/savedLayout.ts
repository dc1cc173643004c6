/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '82a6a4eea75079b8';
