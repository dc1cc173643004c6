/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '989afd8f0f83d171';
