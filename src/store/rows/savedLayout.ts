/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '981f40d98068dddd';
