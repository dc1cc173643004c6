/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'b672fd407b65bc84';
