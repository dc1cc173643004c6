/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '383b27676e1b57f5';
