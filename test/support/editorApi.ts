/** For tests of the editor’s modules without an editor. Import this first, then those modules with `await import()`. */
import { registerHooks } from 'node:module';

/** Nothing of it is called in these tests, except to name files. */
const source = `
  export const window = {};
  export const workspace = {};
  export const commands = {};
  export const Uri = { joinPath: ({ fsPath }, ...names) => ({ fsPath: [fsPath, ...names].join('/') }) };
`;
const editor = `data:text/javascript,${encodeURIComponent(source)}`;

registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: editor, shortCircuit: true } : next(name, context)),
});
