/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '5136e66b53b76bc6';
