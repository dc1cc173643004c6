/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '73157eb6f8bd3e14';
