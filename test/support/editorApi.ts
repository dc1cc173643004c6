/**
 * For tests of the editor’s modules without an editor: `vscode` is what the server’s bundle uses in its place. Import
 * this first, then those modules with `await import()`.
 */
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './host.ts';

const place = pathToFileURL(path.join(root, 'src', 'serve', 'kit', 'editor.ts')).href;

registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: place, shortCircuit: true } : next(name, context)),
});
