/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '95e5a41892d9bbe0';
