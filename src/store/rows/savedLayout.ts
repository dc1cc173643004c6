/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'c5f714d5dc591a29';
