/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '5d17a1ea15f74ac9';
