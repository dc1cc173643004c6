/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'd03077e62f00f867';
