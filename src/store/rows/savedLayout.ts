/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'f2369cd0fc9becf0';
