/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'df7dea6fe32e349c';
