/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'def435eb427630f1';
