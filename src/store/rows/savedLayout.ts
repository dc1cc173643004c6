/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '706dde069a916a6f';
