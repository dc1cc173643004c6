/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '43b028e285be43e2';
