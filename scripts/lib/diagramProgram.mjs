// The program that draws diagrams, as one script for a frame that loads nothing: with those kinds of Mermaid's diagrams that
// documents use. All kinds would be three times as large.
import { build } from 'esbuild';

const kinds = ['flowDiagram', 'sequenceDiagram', 'stateDiagram', 'classDiagram', 'erDiagram', 'ganttDiagram', 'dagre'];

/** Mermaid loads each kind, and each layout, when a diagram needs it: without its code, such a diagram is not drawn. */
const onlyKinds = {
  name: 'only-kinds',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' && !kinds.some((name) => path.includes(`/${name}-`))
        ? { path, namespace: 'none' }
        : null,
    );
    onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: 'export {}', loader: 'js' }));
  },
};

/** A module whose only export is the text of the script, and what is in it. */
export async function diagramProgram(all) {
  const { outputFiles, metafile } = await build({
    ...all,
    entryPoints: ['webview/diagram/frame.ts'],
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    write: false,
    charset: 'utf8',
    plugins: [onlyKinds],
  });
  // After `<!--`, HTML reads `<script` and `</script>` differently. esbuild takes care of the end tag alone.
  const text = outputFiles[0].text.replaceAll('<!--', '<\\!--');
  return { module: `export default ${JSON.stringify(text)};\n`, inputs: Object.values(metafile.outputs)[0].inputs };
}
