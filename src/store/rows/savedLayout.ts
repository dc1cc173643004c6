/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '20f3944998fb8a2b';
