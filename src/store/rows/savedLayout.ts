/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '2a9af61c1d4c825e';
