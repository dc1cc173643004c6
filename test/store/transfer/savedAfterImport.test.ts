/** After an import, the next program that opens the store does not replay it, counted in lines of the journal. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { openLedger } from '../../../src/store/journal/ledger.ts';
import { loadState } from '../../../src/store/saved/state.ts';
import { loadCurrent } from '../../../src/store/saved/current.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { completeImport } from '../../support/store/importing.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

describe('after an import', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
  });
  afterEach(removeSandboxes);

  /** What a gate would answer from now, without reading a line. */
  function loadedBy({ location, stateFile }: Workspace) {
    return loadCurrent({ fs: realFs, root: location.root, stateFile, keys: createTrust(() => []).keys() });
  }

  /** The number of lines that a program reads beyond the saved state when it opens the store now. */
  function replayed(): number {
    const { stateFile, location } = workspace;
    const trust = createTrust(() => []);
    const origin = loadState({ fs: realFs, root: location.root, stateFile, trust }) ?? undefined;
    let lines = 0;
    const ledger = openLedger({ root: location.root, fs: realFs, trust, stateFile, origin, onLine: () => lines++ });
    assert.equal(ledger.problem, null);
    ledger.close();
    return lines;
  }

  async function importDecisions(count: number): Promise<void> {
    fs.mkdirSync(sandbox.at('adr'));
    for (let number = 1; number <= count; number++)
      fs.writeFileSync(
        sandbox.at('adr', `${String(number)}.md`),
        `# ${String(number)}. Decide\n\nStatus: accepted\n\n## Decision\n\n${'We do it. '.repeat(400)}\n`,
      );
    const { done } = await completeImport({ sandbox, workspace }, 'markdown', 'adr');
    assert.equal(done.outcome, 'imported');
  }

  it('a program that opens the store reads no line beyond the saved state, while the importer still runs', async () => {
    await importDecisions(3);
    assert.equal(replayed(), 0);
  });

  it('a program that replayed a few large lines writes a snapshot, and one that is up to date does not', async () => {
    await importDecisions(80);
    workspace.close();
    for (const name of fs.readdirSync(sandbox.at('ws', '.holdpoint')))
      if (/\.(?:json|sqlite)$/.test(name)) fs.rmSync(sandbox.at('ws', '.holdpoint', name));
    assert.ok(replayed() > 0 && replayed() < 500, 'few lines, and all of them');
    workspace = sandbox.open();
    await workspace.store();
    workspace.close();
    assert.equal(replayed(), 0);
    workspace = sandbox.open();
    await registerWork(await workspace.store(), agent('shell-001'), { id: 't-1', workKind: 'task', title: 'One' });
    workspace.close();
    assert.ok(replayed() > 0, 'a line or two are not worth one');
  });

  it('a gate that replays many lines leaves the next one what to answer from', async () => {
    await importDecisions(200);
    workspace.close();
    for (const name of fs.readdirSync(sandbox.at('ws', '.holdpoint')))
      if (/\.(?:json|sqlite)$/.test(name)) fs.rmSync(sandbox.at('ws', '.holdpoint', name));
    const gate = sandbox.open();
    assert.equal(loadedBy(gate), null);
    assert.equal(gate.current().problem, null);
    assert.notEqual(loadedBy(gate), null);
  });
});
