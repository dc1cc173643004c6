/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '5a55b698c0804b21';
