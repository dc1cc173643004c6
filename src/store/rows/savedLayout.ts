/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '7defa53f9c3bc099';
