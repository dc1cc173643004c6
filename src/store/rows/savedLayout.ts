/** The layout of saved states, by its hash. Written by `npm run generate`: do not edit. */
export const savedLayout = '2151dd0b15187b6c';
