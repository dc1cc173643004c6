/** Answers given together, in CI and in the audit: each verifies by itself, and none counts without the others. */
import { undecidedQuestions } from '../../../src/core/state/state.ts';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {
  attestAll,
  formatAttestation,
  writeAttestations,
  type Attestation,
} from '../../../src/app/audit/attestations.ts';
import { auditBytes } from '../../../src/app/audit/audit.ts';
import { answerTogether, sameShapeAs, shownTogether } from '../../../src/app/decision/batch.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { Together } from '../../../src/core/records/question.ts';
import type { RecordOf, SignedRecord } from '../../../src/core/records/records.ts';
import { sameShapes } from '../../../src/core/question/shape.ts';
import { formatPublicKey, formatWorkspace } from '../../../src/trust/publicKeys.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { agent, signedBy } from '../../support/store/people.ts';
import { checked, holdpoint, makeRepository } from '../../support/store/repository.ts';
import { encode, journalByHand, readByHand } from '../../support/store/handwriting.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const names = ['zod', 'vite', 'left-pad'];

/** Q-1 to Q-3 are answered in one act; Q-4 has their shape and is answered by nothing. A commit names Q-2. */
async function setting() {
  const { sandbox, workspace, human, store } = await withHuman();
  for (const name of [...names, 'moment'])
    await raiseQuestion(store, agent(), {
      ...{ text: `Add dependency ${name}?`, type: 'approval', urgency: 'medium', mode: 'sync', work: null },
      holds: [`packages/${name}`],
    });
  const { state } = store.read();
  const group = sameShapeAs(sameShapes(state, undecidedQuestions(state)), 'Q-1')!;
  const picked = shownTogether(state, group).questions.slice(0, names.length);
  const outcome = await answerTogether(signedBy(store, human), picked, { choices: ['Yes'] });
  assert.equal(outcome.outcome, 'answered');
  writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
  const folder = sandbox.at('ws', '.holdpoint', 'decisions');
  const keys = sandbox.at('keys.txt');
  fs.writeFileSync(keys, `${formatWorkspace(state.workspace!.id)}\n${formatPublicKey(human.pin)}`);
  const given = ['--attestations', '.holdpoint/decisions', '--keys', keys];
  const ask = (...argv: string[]) => holdpoint(sandbox, sandbox.folder, ...argv);
  /** On a commit that changes what Q-2 is about. */
  const judge = async () => {
    const repository = makeRepository(sandbox);
    repository.commit({ 'packages/vite/a.js': '1\n' }, { message: 'Add vite as decided in Q-2' });
    const found = await checked(sandbox, repository, ...given, '--require', 'packages/**');
    const text = [...found.problems.map((one) => one.text), ...found.notes].join('\n');
    return { code: found.code, text, outcome: found.items.find(({ id }) => id === 'Q-2')?.outcome };
  };
  return { sandbox, human, folder, ask, judge };
}

function fileOf(folder: string, id: string): string {
  return `${folder}/${fs.readdirSync(folder).find((name) => name.startsWith(`${id}-`)) ?? ''}`;
}

type Written = Pick<Attestation, 'decision' | 'shown'> & {
  readonly record: RecordOf<'question.answered'> & { readonly together: Together };
};

/** Replaces a file by one with another list, named after its content. */
function withList(folder: string, id: string, edit: (list: Written['record']['together']) => unknown): void {
  const file = fileOf(folder, id);
  const content = JSON.parse(fs.readFileSync(file, 'utf8')) as Written;
  const record = { ...content.record, together: edit(content.record.together) } as SignedRecord;
  const made = formatAttestation({ ...content, record });
  fs.rmSync(file);
  fs.writeFileSync(`${folder}/${made.name}`, made.text);
}

describe('answers given together, in CI', () => {
  afterEach(removeSandboxes);

  it('verify one by one, and allow a commit that names one of them', async () => {
    const { judge, folder } = await setting();
    assert.equal(fs.readdirSync(folder).length, names.length, 'one file each');
    const { code, outcome, text } = await judge();
    assert.deepEqual([code, outcome], [0, 'allowed'], text);
  });

  const added = { id: 'Q-4', shown: 'f'.repeat(64) };
  const forgeries: Readonly<Record<string, (folder: string) => void>> = {
    'from whose list one was removed': (folder) => withList(folder, 'Q-2', (list) => list.slice(0, 2)),
    'to whose list one was added': (folder) => withList(folder, 'Q-2', (list) => [...list, added]),
    'whose list is in another order': (folder) => withList(folder, 'Q-2', (list) => list.toReversed()),
    'whose list is gone': (folder) => withList(folder, 'Q-2', () => undefined),
    'that another question took over': (folder) => {
      const content = JSON.parse(
        fs.readFileSync(fileOf(folder, 'Q-2'), 'utf8').replaceAll('"Q-2"', '"Q-4"'),
      ) as Written;
      const made = formatAttestation(content);
      fs.writeFileSync(`${folder}/${made.name}`, made.text);
    },
  };
  for (const [what, forge] of Object.entries(forgeries))
    it(`deny everything with one ${what}`, async () => {
      const { judge, folder } = await setting();
      forge(folder);
      const { code, text } = await judge();
      assert.equal(code, 2);
      assert.match(text, /differs from what was signed|given for something else/);
    });

  it('do not count without the file of one that was answered with them', async () => {
    const { judge, folder } = await setting();
    fs.rmSync(fileOf(folder, 'Q-3'));
    const { code, outcome, text } = await judge();
    assert.deepEqual([code, outcome], [2, 'undecided']);
    assert.match(text, /Q-2 was answered together with Q-3, whose decision is not here/);
  });

  it('pass the audit; a line without one of them, and one with another, do not', async () => {
    const { ask, sandbox, human } = await setting();
    assert.equal((await ask('audit', '--verify')).code, 0);
    const before = journalByHand(sandbox.journal);
    const line = readByHand(before).lines.findLast(({ records }) => records.some((one) => 'together' in one))!;
    const own = line.records.filter(({ kind }) => kind === 'question.answered');
    const others = [own.slice(1), own.slice(0, 2), [...own, { ...own[0], id: 'Q-4' }], [own[0]!, own[0]!, own[2]!]];
    for (const records of others) {
      const asked = line.records.filter(({ kind }) => kind !== 'question.answered');
      const { hash: _, end: __, ...body } = line;
      const bytes = encode({ ...body, records: [...asked, ...records] });
      fs.writeFileSync(sandbox.journal, Buffer.concat([before.subarray(0, line.at), bytes]));
      const { entries } = auditBytes(journalByHand(sandbox.journal), [human.pin]);
      const marks = entries.filter(({ kind }) => kind === 'question.answered').map(({ mark }) => mark);
      assert.equal(marks.length, records.length);
      assert.ok(!marks.includes('verified'), marks.join());
      assert.notEqual((await ask('audit', '--verify')).code, 0);
    }
  });
});
