/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'b5d0147950416682';
