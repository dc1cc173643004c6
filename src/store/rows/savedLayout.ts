/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'dc9be5b1589ca4e6';
