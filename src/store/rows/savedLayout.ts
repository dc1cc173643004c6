/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = 'fac9a442c59e277b';
