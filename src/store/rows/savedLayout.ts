/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '9c82d00e122ce6ea';
