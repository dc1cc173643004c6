/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '1c4fceb8b36bd4ac';
