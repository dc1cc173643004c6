/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'b178fd82b21356d2';
