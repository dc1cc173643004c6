/** Tokens of agents: shown once, kept as hashes, bound to workspaces, an agent and a time. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { addToken, listTokens, removeToken, sessionOfToken, type NewToken } from '../../../src/app/tokens/tokens.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

describe('a token', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
  });
  afterEach(removeSandboxes);

  const add = (changes: Partial<NewToken> = {}) =>
    addToken(workspace, {
      ...{ name: 'ci', agent: 'ci-001', roots: [workspace.location.root], expiresAt: null },
      ...changes,
    });
  const agentOf = (secret: string) => sessionOfToken(workspace, secret, 'api')?.actor.id ?? null;

  const hasCode = (code: string) => ({ name: 'AppError', code });

  it('acts as its agent, which its caller cannot choose', () => {
    const [one, other] = [add(), add({ name: 'nightly', agent: 'nightly-001' })];
    assert.equal(agentOf(one), 'ci-001');
    assert.equal(agentOf(other), 'nightly-001');
    assert.deepEqual(sessionOfToken(workspace, one, 'api'), {
      actor: { kind: 'agent', id: 'ci-001', worktree: '.' },
      host: 'api',
    });
  });

  it('is not in the file, which only its user can read', () => {
    const secret = add();
    const file = path.join(sandbox.userFolder, 'tokens.json');
    const text = fs.readFileSync(file, 'utf8');
    assert.doesNotMatch(text, new RegExp(secret.slice('hpt_'.length)));
    assert.equal(text.includes(Buffer.from(secret).toString('base64')), false);
    if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  it('has 256 random bits', () => {
    const secrets = Array.from({ length: 50 }, (_, index) => add({ name: `t-${String(index)}` }));
    assert.equal(new Set(secrets).size, 50);
    for (const secret of secrets) assert.match(secret, /^hpt_[\w-]{43}$/);
  });

  it('does not count when any of it differs', () => {
    const secret = add();
    for (const wrong of ['', 'hpt_', secret.slice(0, -1), `${secret}A`, secret.toUpperCase(), ` ${secret}`])
      assert.equal(agentOf(wrong), null, wrong);
    for (let at = 0; at < secret.length; at += 1) {
      const changed = `${secret.slice(0, at)}${secret[at] === 'A' ? 'B' : 'A'}${secret.slice(at + 1)}`;
      assert.equal(agentOf(changed), null, changed);
    }
    assert.equal(agentOf(listTokens(workspace)[0]?.hash ?? ''), null, 'the hash is not the token');
  });

  it('expires at its time', () => {
    const expiresAt = new Date(sandbox.clock.now + 1000).toISOString();
    const secret = add({ expiresAt });
    sandbox.clock.now += 999;
    assert.equal(agentOf(secret), 'ci-001');
    sandbox.clock.now += 1;
    assert.equal(agentOf(secret), null);
  });

  it('ends when it is removed, and no other does', () => {
    const [one, other] = [add(), add({ name: 'nightly' })];
    removeToken(workspace, 'ci');
    assert.equal(agentOf(one), null);
    assert.equal(agentOf(other), 'ci-001');
    assert.throws(() => {
      removeToken(workspace, 'ci');
    }, hasCode('not_found'));
  });

  it('opens its workspaces only', () => {
    const elsewhere = add({ roots: [sandbox.at('other')] });
    assert.equal(agentOf(elsewhere), null);
    assert.equal(agentOf(add({ name: 'both', roots: [sandbox.at('other'), workspace.location.root] })), 'ci-001');
  });

  it('never acts as a human, also one whose key came later', () => {
    const secret = add({ agent: 'Ada' });
    assert.equal(agentOf(secret), 'Ada');
    const { name } = enrolledHuman(workspace);
    assert.equal(name, 'Ada');
    assert.equal(agentOf(secret), null);
    for (const agent of [name, 'human', 'system'])
      assert.throws(() => add({ name: 'x', agent }), hasCode('bad_input'), agent);
  });

  it('has a name of its own, in plain letters', () => {
    add();
    assert.throws(() => add(), hasCode('conflict'));
    for (const name of ['', 'Two words', '../tokens', 'ünï', 'x'.repeat(61)])
      assert.throws(() => add({ name }), hasCode('bad_input'), name);
  });

  it('does not count while other users can read or change the file, or it is malformed', function () {
    if (process.platform === 'win32') this.skip();
    const secret = add();
    const file = path.join(sandbox.userFolder, 'tokens.json');
    for (const mode of [0o640, 0o604, 0o620, 0o602]) {
      fs.chmodSync(file, mode);
      assert.throws(() => agentOf(secret), hasCode('bad_input'));
    }
    fs.chmodSync(file, 0o600);
    assert.equal(agentOf(secret), 'ci-001');
    fs.writeFileSync(file, '{"v":1,"tokens":[{}]}');
    assert.throws(() => agentOf(secret), hasCode('bad_input'));
    fs.rmSync(file);
    fs.symlinkSync(sandbox.at('elsewhere.json'), file);
    assert.throws(() => agentOf(secret), hasCode('bad_input'));
  });
});
