/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '2f9810893ad8aa33';
