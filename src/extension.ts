/** Entry of the extension. */
export { activate } from './vscode/activate.ts';
