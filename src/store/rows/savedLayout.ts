/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '3d0720642a735e4d';
