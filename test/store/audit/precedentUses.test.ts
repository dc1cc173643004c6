/** Questions that a precedent answered, in CI: their files carry the signed precedent, and the gate derives the answer. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import {
  attestAll,
  formatAttestation,
  readAttestation,
  readAttestations,
  writeAttestations,
} from '../../../src/app/audit/attestations.ts';
import { attestedGate } from '../../../src/app/audit/attestedGate.ts';
import type { AttestedAnswer } from '../../../src/app/audit/attestedGate.ts';
import { signedFile } from '../../../src/app/audit/signedFile.ts';
import { changePolicy, liftRefusal, shownAnswerHash, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import {
  endPrecedent,
  previewPrecedent,
  proposedEdits,
  setPrecedent,
  takeBackUse,
} from '../../../src/app/decision/precedents.ts';
import type { PrecedentEdits } from '../../../src/app/decision/precedents.ts';
import type { Answer } from '../../../src/core/records/records.ts';
import type { Policy } from '../../../src/core/state/state.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { catalog } from '../../../src/tools/catalog.ts';
import { runTool } from '../../../src/tools/kit/tool.ts';
import { formatPublicKey, formatWorkspace } from '../../../src/trust/publicKeys.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { agent, decide, enrolledHuman, makeHuman } from '../../support/store/people.ts';
import { checked, holdpoint, makeRepository } from '../../support/store/repository.ts';
import { makeSandbox, realFs, removeSandboxes } from '../../support/store/sandbox.ts';

const claude = agent('claude-code-001', { session: 'first' });
const file = 'app/package.json';
const choices = [{ label: 'Add it' }, { label: 'Leave it' }];

/** A human answered Q-1; P-1 says the same of the next questions, and answered Q-2. */
async function setting(more: Partial<PrecedentEdits> = {}, answer: Answer = { choices: ['Add it'] }) {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  await registerWork(store, claude, { id: 'W1', workKind: 'workflow', title: 'Release' });
  await registerWork(store, claude, { id: 'T1', title: 'Clean up', workflow: 'W1' });
  const ask = async (name: string) => {
    const tool = catalog.find((one) => one.name === 'holdpoint_raise_question')!;
    const input = { text: `Add dependency \`${name}\`?`, type: 'decision', work_id: 'T1', holds: [file], choices };
    const session = { workspace, session: claude, signal: new AbortController().signal, waitMs: 0 };
    await runTool(tool, session, { ...input, wait_seconds: 0 });
  };
  const signing = { store, signer: human, newId: randomUUID };
  await ask('react');
  await decide(workspace, human, 'Q-1', { kind: 'answer', answer });
  const { state } = store.read();
  const edits = { ...proposedEdits(state, state.questions.get('Q-1')!, workspace.now()), ...more };
  const { shown } = previewPrecedent(state, 'Q-1', edits, workspace.now());
  await setPrecedent(signing, { from: 'Q-1', edits, shown: shown! });
  await ask('vue');
  const folder = sandbox.at('ws', '.holdpoint', 'decisions');
  const write = () => writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
  write();
  return { sandbox, workspace, human, store, signing, ask, folder, write };
}
type Setting = Awaited<ReturnType<typeof setting>>;

/** What CI says of a commit that names these and changes the file that Q-2 held. */
function gate(
  { folder, store, human }: Setting,
  names: readonly string[],
  required: readonly string[] = [],
  signer = human,
): AttestedAnswer {
  const workspaces = [store.read().state.workspace!.id];
  const trust = createTrust(() => [signer.pin]);
  const commit = { name: 'c0ffee', files: [file], names };
  return attestedGate([commit], readAttestations(realFs, folder, { trust, workspaces }), {
    required,
    inside: (path) => path,
  });
}

function useIn({ folder }: Setting, id = 'Q-2'): { readonly name: string; readonly text: string } {
  const named = fs.readdirSync(folder).filter((one) => one.startsWith(`${id}-`));
  const name = named.find((one) => fs.readFileSync(`${folder}/${one}`, 'utf8').includes('"precedent use"'))!;
  return { name, text: fs.readFileSync(`${folder}/${name}`, 'utf8') };
}

/** Writes a use by hand, named after its content, as an agent could. */
function forge(setting: Setting, edit: (text: string) => string, id = 'Q-2'): void {
  const made = signedFile(id, JSON.parse(edit(useIn(setting).text)) as object);
  fs.writeFileSync(`${setting.folder}/${made.name}`, made.text);
}

describe('uses of precedents in CI', () => {
  afterEach(removeSandboxes);

  it('carry the signed precedent, and allow what it allows', async () => {
    const made = await setting();
    const read = readAttestation(
      ...fileOf(made),
      createTrust(() => [made.human.pin]),
    );
    assert.ok(!('why' in read) && read.use?.precedent.id === 'P-1');
    assert.deepEqual(formatAttestation(read), useIn(made));
    const { allowed, decisions } = gate(made, ['Q-2'], [file]);
    assert.equal(allowed, true);
    assert.deepEqual([decisions[0]?.action, decisions[0]?.by], ['question.answered (P-1)', 'Ada']);
    assert.match(gate(made, ['Q-2'], ['**/*']).reasons.join(), /^$/);
    assert.equal(made.write().written.length, 0, 'each once');
  });

  it('are about the files of their question only', async () => {
    const made = await setting();
    const { attestations, bad } = readAttestations(realFs, made.folder, {
      trust: createTrust(() => [made.human.pin]),
      workspaces: [made.store.read().state.workspace!.id],
    });
    const commit = { name: 'c0ffee', files: ['app/secret.ts'], names: ['Q-2'] };
    const rules = { required: ['app/**'], inside: (path: string) => path };
    assert.match(attestedGate([commit], { attestations, bad }, rules).reasons.join(), /which Q-2 is not about/);
  });

  it('refuse what a precedent refuses, until a human lifts it', async () => {
    const made = await setting({}, { choices: ['Leave it'], effect: 'do_not' });
    assert.match(gate(made, ['Q-2']).reasons.join(), /names Q-2, which a human refused/);
    const { state } = made.store.read();
    const shown = shownAnswerHash(state, state.questions.get('Q-2')!);
    await liftRefusal(made.signing, { id: 'Q-2', reason: 'Needed after all.', shown });
    made.write();
    assert.equal(gate(made, ['Q-2']).allowed, true);
  });

  const forgeries: Readonly<Record<string, readonly [edit: (text: string) => string, why: RegExp]>> = {
    'with another question': [(text) => text.replace('dependency `vue`', 'secret `vue`'), /its text is another/],
    'with a value that does not fit': [(text) => text.replace('`vue`', '`vue` and `x`'), /its text is another/],
    'about other files': [(text) => text.replaceAll('app/package.json', 'app/secret'), /(about app\/secret|signed)/],
    'with a further text': [(text) => text.replace('"raised": {', '"raised": {"context": "More.",'), /its context/],
    'of a critical question': [(text) => text.replaceAll('"urgency": "medium"', '"urgency": "critical"'), /critical/],
    'about other work': [(text) => text.replaceAll('"workflow": "W1"', '"workflow": "W2"'), /about other work/],
    'without its work': [(text) => text.replace(/"work": \{\s+"T1": \{[^}]*\}\s+\}/, '"work": {}'), /about the work/],
    'after its time': [(text) => text.replace(/("used": \{\s+"at": ")2026/, '$12027'), /after its time/],
    'before it was signed': [(text) => text.replace(/("used": \{[^}]*"position": )\d+/, '$11'), /before it was signed/],
    'with another answer': [(text) => text.replaceAll('"Add it"\n      ]', '"Leave it"\n      ]'), /was signed/],
    'with more uses': [(text) => text.replace('"uses": 20', '"uses": 900'), /differs from what was signed/],
    'with wider files': [(text) => text.replace(/"globs": \[[^\]]*\]/, '"globs": ["app/**"]'), /was signed/],
    'with another signature': [(text) => text.replace('"sig": "', '"sig": "AAAA'), /no valid signature/],
    'with another signer': [(text) => text.replace('"by": "Ada"', '"by": "Eve"'), /differs from what was signed/],
    'with a field of its own': [(text) => text.replace('"used": {', '"used": {"by": "Ada",'), /not a use/],
  };
  for (const [how, [edit, why]] of Object.entries(forgeries))
    it(`deny everything ${how}`, async () => {
      const made = await setting();
      const { name, text } = useIn(made);
      assert.notEqual(edit(text), text);
      forge(made, edit);
      fs.rmSync(`${made.folder}/${name}`);
      const { allowed, reasons } = gate(made, ['Q-1']);
      assert.equal(allowed, false);
      assert.match(reasons.join(), why);
    });

  it('deny with a name that does not match, and with a key that CI does not know', async () => {
    const made = await setting();
    assert.equal(gate(made, ['Q-2'], [], makeHuman('Grace')).allowed, false);
    const { name, text } = useIn(made);
    fs.renameSync(`${made.folder}/${name}`, `${made.folder}/Q-2-${'0'.repeat(32)}.json`);
    assert.match(gate(made, []).reasons.join(), /name that does not match/);
    assert.match(text, /"kind": "precedent.set"/);
  });

  it('count as often as the precedent was signed for, and each question once', async () => {
    const made = await setting({ uses: 1 });
    const later = (text: string) =>
      text.replaceAll('"Q-2"', '"Q-7"').replace(/("used": \{[^}]*"position": )(\d+)/, '$19$2');
    forge(made, later, 'Q-7');
    assert.equal(gate(made, ['Q-2']).allowed, true);
    assert.match(gate(made, ['Q-7']).reasons.join(), /Q-7, which P-1 answered more often than the 1 time /);
    forge(made, (text) => text.replace('`vue`', '`svelte`'));
    assert.match(gate(made, ['Q-2']).reasons.join(), /precedents answered more than once/);
  });

  it('do not count once a human has taken them back; then the human’s own decision does', async () => {
    const made = await setting();
    const { store, signing, workspace, human, write } = made;
    const { state } = store.read();
    const shown = shownAnswerHash(state, state.questions.get('Q-2')!);
    await takeBackUse(signing, { id: 'Q-2', reason: 'Not this one.', shown });
    write();
    assert.match(gate(made, ['Q-2']).reasons.join(), /names Q-2, which has no attested decision/);
    await decide(workspace, human, 'Q-2', { kind: 'answer', answer: { choices: ['Add it'] } });
    write();
    const { allowed, decisions } = gate(made, ['Q-2']);
    assert.deepEqual([allowed, decisions[0]?.action], [true, 'question.answered']);
  });

  it('widen nothing that a human decided', async () => {
    const made = await setting({ globs: ['app/**'] });
    forge(
      made,
      (text) =>
        text
          .replaceAll('"Q-2"', '"Q-1"')
          .replace(/("holds": \[\s*)"app\/package.json"/, '$1"app/package.json","app/x"'),
      'Q-1',
    );
    const trust = createTrust(() => [made.human.pin]);
    const read = readAttestations(realFs, made.folder, { trust, workspaces: [made.store.read().state.workspace!.id] });
    const commit = { name: 'c0ffee', files: ['app/x'], names: ['Q-1'] };
    const rules = { required: ['app/**'], inside: (path: string) => path };
    assert.match(attestedGate([commit], read, rules).reasons.join(), /which Q-1 is not about/);
  });

  it('do not count after a human has ended their precedent', async () => {
    const made = await setting();
    await endPrecedent(made.signing, 'P-1', 'Enough.');
    made.write();
    assert.equal(gate(made, ['Q-2']).allowed, true, 'what it answered before stays answered');
    const late = (text: string) =>
      text.replaceAll('"Q-2"', '"Q-7"').replace(/("used": \{[^}]*"position": )(\d+)/, '$19$2');
    forge(made, late, 'Q-7');
    assert.match(gate(made, ['Q-7']).reasons.join(), /P-1 answered after a human had ended it/);
  });

  const globs = ['app/**'];
  const policies: Readonly<Record<string, readonly [Partial<Policy>, RegExp]>> = {
    'asks for several people': [
      { quorum: { rules: [{ people: ['Ada', 'Grace'], count: 2, globs }] } },
      /Q-2, which P-1 answered, although the policy asks for several people/,
    ],
    'keeps such questions from precedents': [
      { precedents: { never: [{ globs }] } },
      /Q-2, which P-1 answered, although the policy says that precedents never answer it/,
    ],
  };
  for (const [what, [policy, why]] of Object.entries(policies))
    it(`do not count where the policy ${what}`, async () => {
      const made = await setting();
      const { state } = made.store.read();
      await changePolicy(made.signing, { ...state.policy, ...policy }, shownPolicyHash(state));
      made.write();
      assert.match(gate(made, ['Q-2']).reasons.join(), why);
      assert.equal(gate(made, ['Q-1']).allowed, true);
    });

  it('are judged alike by holdpoint gate and holdpoint check, in a clone and beside the store', async () => {
    const made = await setting();
    const { sandbox, human, store } = made;
    const repository = makeRepository(sandbox);
    repository.commit({ [file]: '{}\n' }, { message: 'Add vue as decided in Q-2' });
    const keys = sandbox.at('keys.txt');
    fs.writeFileSync(keys, `${formatWorkspace(store.read().state.workspace!.id)}\n${formatPublicKey(human.pin)}`);
    const given = ['--attestations', '.holdpoint/decisions', '--keys', keys];
    const ask = (...argv: string[]) => holdpoint(sandbox, repository.folder, ...argv);
    const allowed = await ask('gate', '--commit', 'main..HEAD', ...given, '--require', 'app/**');
    assert.equal(allowed.code, 0, allowed.out + allowed.err);
    assert.match(allowed.out, /Q-2: question\.answered \(P-1\) by Ada/);
    const found = await checked(sandbox, repository, ...given);
    assert.deepEqual([found.state, found.items.find(({ id }) => id === 'Q-2')?.outcome], ['CLEAR', 'allowed']);
    const beside = await checked(sandbox, repository);
    assert.deepEqual([beside.state, beside.items.find(({ id }) => id === 'Q-2')?.outcome], ['CLEAR', 'allowed']);
    const { name } = useIn(made);
    repository.commit({ [`.holdpoint/decisions/${name}`]: null }, { message: 'Forget it' });
    assert.equal((await ask('gate', '--commit', 'main..HEAD', ...given)).code, 2);
    assert.equal((await ask('check', '--base', 'main', ...given)).code, 2);
  });
});

function fileOf(made: Setting): [name: string, text: string] {
  const { name, text } = useIn(made);
  return [name, text];
}
