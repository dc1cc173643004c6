/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'bdf4dd6787576b68';
