/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'e3d962a7fd48b46e';
