/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'b2de85760fb48b49';
