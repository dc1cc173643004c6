/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '846632e1f2b591a0';
