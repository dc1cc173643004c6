/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'e5ca99324c0e96dd';
