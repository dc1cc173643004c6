/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '99c4a91c927724e7';
