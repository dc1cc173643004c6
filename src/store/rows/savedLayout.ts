/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'f63733e4ceb1e1dd';
