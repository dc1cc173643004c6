import path from 'node:path';
import { copyFolder } from '../support/scenario.ts';
import { root } from '../support/host.ts';
import '../support/interrupted.ts';
import { runSuite } from './runSuite.ts';

/** `node test/vscode/run.ts [part of a test title]` */
const workspace = await copyFolder(path.join(root, 'sample'));
try {
  const { failed, passed } = await runSuite({
    suite: path.join(import.meta.dirname, 'suite'),
    workspace: workspace.folder,
    grep: process.argv[2] ?? '',
    beside: [path.join(root, 'test', 'fixtures', 'scripted-model')],
  });
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  await workspace.remove();
}
