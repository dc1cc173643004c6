/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '2b5f367dcf6c56e7';
