/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'fa33950f107d0e13';
