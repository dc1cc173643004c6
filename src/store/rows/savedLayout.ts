/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '07a36a0494fe4f19';
