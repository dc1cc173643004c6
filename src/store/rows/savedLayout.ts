/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'ac6fcf77714f46e0';
