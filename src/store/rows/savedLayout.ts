/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '6c1385932da9e912';
