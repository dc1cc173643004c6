/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '78844b6a7a5aa866';
