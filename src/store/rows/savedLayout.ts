/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'cbc8c21d3c9f22eb';
