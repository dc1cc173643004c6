/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'c7a2945fe0d3d17b';
