/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '6a25eadca8607da2';
