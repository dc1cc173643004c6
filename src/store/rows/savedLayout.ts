/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'df1d2313617f53fb';
