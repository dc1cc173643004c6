/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'fec17c098faae111';
