/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '33f001fe85954591';
