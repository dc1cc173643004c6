/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '89ea56bd22c4898b';
