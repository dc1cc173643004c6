/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'e1938daaa32390ec';
