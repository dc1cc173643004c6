/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '99ad7b172e9b18fa';
