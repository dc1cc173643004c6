/** What transcripts of hosts say about the context of a session. Agents can write there: garbage says nothing. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HookHost } from '../../../src/hosts/names.ts';
import { contextIn } from '../../../src/hosts/transcript/read.ts';
import { plainFiles } from '../../../src/store/journal/plainFiles.ts';

const fixture = (name: string) => path.resolve('test/fixtures/transcripts', `${name}.jsonl`);
const usage = (more: object) => ({ input_tokens: 2, output_tokens: 3, ...more });
const message = (more: object, line: object = {}) => ({
  ...{ type: 'assistant', ...line },
  message: { model: 'claude-x', usage: usage(more) },
});

describe('the context in a transcript', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-'));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  /** Of a transcript with these lines. */
  function read(host: HookHost, ...lines: readonly (object | string)[]) {
    const file = path.join(folder, 'session.jsonl');
    fs.writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    return contextIn(plainFiles, host, file);
  }

  it('is that of the last request, as Claude Code recorded it', () => {
    const found = contextIn(plainFiles, 'claude-code', fixture('claude-code'));
    assert.deepEqual(found, { tokens: 3_002, cached: 3_000, cacheSeconds: 300, model: 'claude-scripted' });
  });

  it('is that of the last request, as Codex recorded it, which does not say how long its cache lasts', () => {
    const found = contextIn(plainFiles, 'codex', fixture('codex'));
    assert.deepEqual(found, { tokens: 2_010, cached: 1_500, model: 'scripted-1' });
    const lines = fs.readFileSync(fixture('codex'), 'utf8').split('\n');
    assert.deepEqual(read('codex', ...lines.filter((line) => !line.includes('token_usage_record'))), found);
  });

  it('is unknown for hosts that do not say it', () => {
    for (const host of ['copilot-cli', 'vscode', 'opencode', 'gemini-cli', 'generic'] as const)
      assert.equal(contextIn(plainFiles, host, fixture('claude-code')), null);
  });

  it('takes the time of the cache from what was asked for, else from what was last written', () => {
    const written = (name: string) => ({ cache_creation_input_tokens: 5, cache_creation: { [name]: 5 } });
    const hour = message(written('ephemeral_1h_input_tokens'));
    assert.equal(read('claude-code', hour)?.cacheSeconds, 3_600);
    assert.equal(read('claude-code', message(written('ephemeral_5m_input_tokens')), hour)?.cacheSeconds, 3_600);
    assert.equal(read('claude-code', hour, message({ cache_read_input_tokens: 5 }))?.cacheSeconds, 3_600);
    assert.equal(read('claude-code', hour, message({}, { promptCacheRequested: '5m' }))?.cacheSeconds, 300);
    assert.equal(read('claude-code', message({}))?.cacheSeconds, undefined);
  });

  it('leaves out agents that the session started, and what Claude Code wrote itself', () => {
    const synthetic = { type: 'assistant', message: { model: '<synthetic>', usage: usage({ input_tokens: 9 }) } };
    const subagent = message({ input_tokens: 9 }, { isSidechain: true });
    assert.equal(read('claude-code', message({}), subagent, synthetic)?.tokens, 5);
    assert.equal(read('claude-code', subagent, synthetic), null);
  });

  it('bounds what an agent wrote, and leaves out what is no usage', () => {
    const good = message({});
    const garbage = ['{', 'null', '[]', '"x"', '{"type":"assistant"}', '{"type":"assistant","message":[]}', '\u0000'];
    assert.equal(read('claude-code', good, ...garbage)?.tokens, 5);
    for (const input_tokens of [1e300, 1e9, -5e9, '7', null, 0.5, [], { a: 1 }])
      assert.ok((read('claude-code', message({ input_tokens }))?.tokens ?? 0) <= 5, JSON.stringify(input_tokens));
    assert.equal(read('claude-code', message({ input_tokens: 1e9 })), null);
    const named = { type: 'assistant', message: { model: 'x y\u202e', usage: usage({}) } };
    assert.equal(read('claude-code', named)?.model, undefined);
    assert.equal(read('claude-code'), null);
  });

  it('reads the end of a large transcript only', () => {
    const filler = JSON.stringify({ type: 'user', text: 'x'.repeat(1_000) });
    const many = Array.from({ length: 400 }, () => filler);
    assert.equal(read('claude-code', message({}), ...many), null);
    assert.equal(read('claude-code', ...many, message({}))?.tokens, 5);
  });

  it('reads no pipe, link, folder or relative path', function () {
    const none = (file: string) => {
      assert.equal(contextIn(plainFiles, 'claude-code', file), null, file);
    };
    none('test/fixtures/transcripts/claude-code.jsonl');
    none(path.join(folder, 'missing.jsonl'));
    fs.mkdirSync(path.join(folder, 'folder.jsonl'));
    none(path.join(folder, 'folder.jsonl'));
    fs.copyFileSync(fixture('claude-code'), path.join(folder, 'other.txt'));
    none(path.join(folder, 'other.txt'));
    if (process.platform === 'win32') this.skip();
    fs.symlinkSync(fixture('claude-code'), path.join(folder, 'link.jsonl'));
    none(path.join(folder, 'link.jsonl'));
    execFileSync('mkfifo', [path.join(folder, 'pipe.jsonl')]);
    none(path.join(folder, 'pipe.jsonl'));
  });
});
