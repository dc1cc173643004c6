/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '6f5bb638d351f86d';
