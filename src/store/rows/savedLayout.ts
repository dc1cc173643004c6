/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '9feb21d41eff4a74';
