/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '1c1a2c1b26a365b2';
