/** `holdpoint rfc review`: the built program against a scripted OpenAI-compatible endpoint. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { holdpoint, type Called } from '../support/holdpoint.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

interface Call {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly messages: readonly { readonly content: string }[] };
}

/** The endpoint’s response: a status with a raw body, or the content of a completion. */
type Answer = { readonly status?: number; readonly raw?: string; readonly to?: string } | string;

const answered = (question: number) => ({ question, outcome: 'answered', answer: 'So.', evidence: ['The design.'] });
const replyOf = (verdict: string, ...answers: object[]) =>
  `\`\`\`json\n${JSON.stringify({ verdict, summary: 'Sound.', answers })}\n\`\`\``;

describe('rfc review', function () {
  this.timeout(240_000);
  let place: TemporaryFolder;
  let server: Server;
  let calls: Call[];
  let answers: Answer[];
  let env: NodeJS.ProcessEnv;
  const key = 'sk-not-to-be-shown';

  beforeEach(async () => {
    place = await temporaryFolder();
    await mkdir(path.join(place.folder, 'ws'));
    calls = [];
    answers = [];
    server = createServer((request, response) => {
      void take(request).then((answer) => {
        const { status = 200, raw, to } = typeof answer === 'string' ? {} : answer;
        const content = typeof answer === 'string' ? answer : '';
        response.writeHead(status, to === undefined ? {} : { location: to });
        response.end(raw ?? JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    env = {
      PATH: process.env['PATH'],
      HOME: place.folder,
      USERPROFILE: place.folder,
      LOCALAPPDATA: place.folder,
      HOLDPOINT_AGENT_ID: 'builder-007',
      HOLDPOINT_REVIEWER_URL: `${address()}/v1`,
      HOLDPOINT_REVIEWER_MODEL: 'scripted-1',
      HOLDPOINT_REVIEWER_KEY: key,
    };
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await place.remove();
  });

  const address = () => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const run = (...args: string[]): Promise<Called> =>
    holdpoint({ workspace: path.join(place.folder, 'ws'), env }, ...args);

  async function take(request: IncomingMessage): Promise<Answer> {
    const body = JSON.parse(await text(request)) as Call['body'];
    calls.push({ path: request.url, authorization: request.headers.authorization, body });
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 404 };
  }

  async function propose(...questions: string[]): Promise<void> {
    const asked = questions.flatMap((question) => ['--question', question]);
    const made = await run('rfc', 'create', '--title', 'Tokens', '--design', 'Ed25519.', ...asked, '--submit');
    assert.equal(made.code, 0, made.err);
  }

  async function standing(): Promise<{ status: string; states: string[]; count: number }> {
    const { out } = await run('rfc', 'show', 'RFC-1', '--json');
    const { rfc } = JSON.parse(out) as {
      rfc: { status: string; questions: { state: string }[]; review: { count: number } };
    };
    return { status: rfc.status, states: rfc.questions.map(({ state }) => state), count: rfc.review.count };
  }

  it('asks the endpoint, records its answers, and leaves the decision to a human', async () => {
    await propose('How long?', 'Who pays?', 'HUMAN REQUIRED: Which region?');
    answers = [replyOf('approve', answered(1), { question: 2, outcome: 'human_required' })];
    const { code, out, err } = await run('rfc', 'review', 'RFC-1');
    assert.deepEqual([code, err], [3, '']);
    assert.match(
      out,
      /^RFC-1, revision 1: The language model has no objections; this is not an approval\. It says: "Sound\."/,
    );
    assert.match(out, /It answered 1 open question; 2 are for a human\. A human decides, in the editor\.$/);
    assert.equal(calls.length, 1);
    const [call] = calls;
    assert.deepEqual(
      [call?.path, call?.authorization, call?.body.model],
      ['/v1/chat/completions', `Bearer ${key}`, 'scripted-1'],
    );
    // A question that the author marked for a human is not sent to a model.
    assert.match(call?.body.messages[0]?.content ?? '', /BEGIN QUESTIONS\n1\. "How long\?"\n2\. "Who pays\?"\n\S+ END/);
    assert.deepEqual(await standing(), {
      status: 'under_review',
      states: ['ai_answered', 'human_required', 'human_required'],
      count: 1,
    });
    // Any program can run this, so the review records who asked which model where.
    const { out: shown } = await run('rfc', 'show', 'RFC-1', '--json');
    assert.match(shown, /"model": ?"scripted-1 at 127\.0\.0\.1:\d+, run by builder-007"/);
    assert.equal((await run('rfc', 'await', 'RFC-1', '--wait', '0')).code, 3);
  });

  it('exits with 2 if the author has to revise, also as JSON', async () => {
    await propose('How long?');
    answers = [replyOf('revise', answered(1))];
    const { code, out } = await run('rfc', 'review', 'RFC-1', '--json');
    const { result, outcome, verdict, approved } = JSON.parse(out) as Record<string, unknown>;
    assert.deepEqual([code, result, outcome, verdict, approved], [2, 'denied', 'revise', 'revise', null]);
  });

  it('shares one budget with all other reviews: after that it asks no model and leaves open questions to a human', async () => {
    await propose('How long?');
    answers = [replyOf('approve')];
    assert.equal((await run('rfc', 'review', 'RFC-1')).code, 3);
    assert.deepEqual(await standing(), { status: 'under_review', states: ['human_required'], count: 5 });
    await run('rfc', 'review', 'RFC-1');
    assert.equal(calls.length, 5);
  });

  const failures: Record<string, Answer> = {
    'an error': { status: 500, raw: 'no' },
    'an authorization error': { status: 401 },
    'invalid JSON': { raw: 'hello' },
    'an invalid completion': { raw: '{"choices":[]}' },
    'a missing text': { raw: '{"choices":[{"message":{"content":null}}]}' },
  };
  for (const [name, answer] of Object.entries(failures))
    it(`leaves everything to a human after ${name}`, async () => {
      await propose('How long?');
      answers = [answer];
      const { code, out, err } = await run('rfc', 'review', 'RFC-1');
      assert.equal(code, 3);
      assert.match(out, /The language model could not answer\. .*1 is for a human/);
      assert.match(err, /^holdpoint: 127\.0\.0\.1:\d+: /);
      assert.doesNotMatch(out + err, new RegExp(key));
      assert.deepEqual((await standing()).states, ['human_required']);
    });

  it('does not follow redirects with the document and the key', async () => {
    await propose('How long?');
    answers = [{ status: 307, to: `${address()}/elsewhere/chat/completions` }];
    assert.equal((await run('rfc', 'review', 'RFC-1')).code, 3);
    assert.deepEqual(
      calls.map((call) => call.path),
      ['/v1/chat/completions'],
    );
  });

  it('does nothing without an endpoint or for an unknown RFC', async () => {
    await propose('How long?');
    for (const [name, value] of [
      ['HOLDPOINT_REVIEWER_URL', ''],
      ['HOLDPOINT_REVIEWER_URL', 'file:///etc/passwd'],
      ['HOLDPOINT_REVIEWER_MODEL', ''],
    ] as const) {
      const before = env[name];
      env[name] = value;
      const { code, err } = await run('rfc', 'review', 'RFC-1');
      assert.equal(code, 1, name);
      assert.match(err, new RegExp(name));
      env[name] = before;
    }
    const { code, err } = await run('rfc', 'review', 'RFC-7');
    assert.deepEqual([code, err], [1, 'holdpoint: there is no RFC-7. holdpoint rfc list lists all.']);
    assert.deepEqual([calls.length, (await standing()).states], [0, ['unanswered']]);
  });
});
