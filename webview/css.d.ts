/** Styles are imported for their effect: the build puts them into one file beside the script. */
declare module '*.css';
