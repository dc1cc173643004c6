/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '191d3bf6ab4fb896';
