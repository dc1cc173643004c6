/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'e9f3d203ffab1e0f';
