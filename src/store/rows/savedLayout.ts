/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '0b5452a008746aa2';
