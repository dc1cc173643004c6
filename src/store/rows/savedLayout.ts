/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '93b0d82d281ae7e6';
