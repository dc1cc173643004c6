/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '8649c0d576c5d183';
