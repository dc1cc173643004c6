/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'cd70339359ed80b8';
