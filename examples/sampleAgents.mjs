// Two scripted agents at work in a copy of sample/. They know only Holdpoint's command line, like any agent with a
// shell: node examples/sampleAgents.mjs <workspace>
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const workspace = path.resolve(process.argv[2] ?? '.');
const run = promisify(execFile);
const cli = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));

/** One agent: its terminal output, its edits and its calls of Holdpoint. */
function agent(id) {
  const say = (text) => console.log(`${id.padEnd(13)} ${text}`);

  async function holdpoint(...args) {
    const env = { ...process.env, HOLDPOINT_AGENT_ID: id };
    const called = run(process.execPath, [cli, '--workspace', workspace, '--json', ...args], { env });
    // The gate denies with another code.
    const { code = 0, stdout } = await called.catch((error) => (error.code > 1 ? error : Promise.reject(error)));
    return { allowed: code === 0, ...JSON.parse(stdout || '{}') };
  }

  return {
    say,
    holdpoint,
    async register(work, title, ...args) {
      await holdpoint('work', 'register', '--id', work, '--title', title, ...args);
    },
    async status(work, status) {
      await holdpoint('work', 'update', work, '--status', status);
      say(`${work}: ${status.replace('_', ' ')}`);
    },
    async mayGoOn(work) {
      const { allowed } = await holdpoint('gate', '--work', work);
      say(`gate ${work}: ${allowed ? 'yes, go on' : 'no, it is held'}`);
      return allowed;
    },
    async ask(question, ...args) {
      const raised = await holdpoint('question', 'create', '--text', question, ...args);
      say(`asks (${raised.question.id}): ${question}`);
      return raised;
    },
    /** Returns only when a human has decided: silence is never an answer. */
    async answerTo(raised) {
      let latest = raised;
      while (latest.outcome === 'waiting') {
        latest = await holdpoint('question', 'await', raised.question.id, '--wait', '45');
      }
      const { answer, id, note } = latest.question;
      if (!answer) {
        say(`${id} was not answered but ${latest.outcome}${note ? `: ${note}` : ''}`);
        return undefined;
      }
      const choices = answer.choices ?? [];
      say(`${id} is answered: ${[choices.join(', '), answer.text].filter(Boolean).join(': ')}`);
      return { text: answer.text ?? '', choices };
    },
    async write(file, content) {
      const target = path.join(workspace, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content);
      say(`writes ${file}`);
    },
  };
}

async function builder() {
  const me = agent('builder-001');
  await me.register('partner-login', 'Log-in for partners', '--kind', 'workflow');
  const inWorkflow = ['--kind', 'task', '--workflow', 'partner-login'];
  await me.register('t-1', 'API tokens', ...inWorkflow, '--files', 'src/auth.js');
  await me.register('t-2', 'Partner dashboard', ...inWorkflow, '--depends-on', 't-1');
  await me.register('t-3', 'Signed webhooks', ...inWorkflow, '--depends-on', 't-1');
  await me.register('t-4', 'Audit log', '--kind', 'task');
  await me.status('t-1', 'in_progress');

  const tokens = await me.ask(
    'Should API tokens be JWTs or server-side sessions?',
    ...['--blocking-task-id', 't-1', '--type', 'decision', '--urgency', 'high', '--mode', 'sync'],
    ...['--choice', 'JWT: signed and stateless; a stolen one is good until it runs out'],
    ...['--choice', 'Sessions: a table look-up for each request, and one delete revokes it'],
    ...['--recommended', 'Sessions'],
    ...['--background', 'Partners call us about 40 times a second. Two of them must be able to revoke access at once.'],
    ...['--impact', 'The dashboard and the webhooks are built on whatever this is.'],
    ...['--delay', 'API tokens come a day later for each day this waits.'],
    ...['--alternative', 'Mutual TLS: two partners cannot do it', '--file', 'src/auth.js:2'],
  );
  await me.mayGoOn('t-1');
  await Promise.all([auditLog(me), apiTokens(me, tokens)]);
}

/** Free work, not held by the question about API tokens. */
async function auditLog(me) {
  if (!(await me.mayGoOn('t-4'))) return;
  await me.status('t-4', 'in_progress');
  const keep = await me.ask(
    'For how many days do we keep entries of the audit log?',
    ...['--blocking-task-id', 't-4', '--type', 'clarification', '--urgency', 'medium', '--mode', 'async'],
    ...['--assumption', '30 days', '--file', 'config/audit.json'],
  );
  await me.write('config/audit.json', '{ "keepDays": 30 }\n');
  const answer = await me.answerTo(keep);
  const days = /\d+/.exec(answer?.text ?? '')?.[0];
  if (days && days !== '30') await me.write('config/audit.json', `{ "keepDays": ${days} }\n`);
  await me.status('t-4', 'done');
}

async function apiTokens(me, asked) {
  const answer = await me.answerTo(asked);
  if (!(await me.mayGoOn('t-1'))) return;
  const jwt = /jwt/i.test([...(answer?.choices ?? []), answer?.text].join(' '));
  await me.write('src/auth.js', jwt ? withJwt : withSessions);
  await me.status('t-1', 'done');
  for (const next of ['t-2', 't-3']) await me.mayGoOn(next);
}

const withJwt = `import { createPublicKey, verify } from 'node:crypto';

const key = createPublicKey(process.env.TOKEN_KEY);

/** The customer named in a JWT that we signed and that has not run out. */
export function whoIs(request) {
  const [head, body, signature] = (request.headers.authorization ?? '').replace(/^Bearer /, '').split('.');
  if (!signature || !verify('sha256', Buffer.from(head + '.' + body), key, Buffer.from(signature, 'base64url'))) return undefined;
  const { sub, exp } = JSON.parse(Buffer.from(body, 'base64url').toString());
  return exp * 1000 > Date.now() ? sub : undefined;
}
`;

const withSessions = `import { sessions } from './sessions.js';

/** The customer of a session: looked up for each request, so that deleting the row revokes it at once. */
export function whoIs(request) {
  return sessions.find((request.headers.authorization ?? '').replace(/^Bearer /, ''))?.customer;
}
`;

async function migrator() {
  const me = agent('migrator-001');
  await me.register('t-5', 'Drop legacy_tokens', '--kind', 'task', '--files', 'migrations/**');
  await me.status('t-5', 'in_progress');
  const drop = await me.ask(
    'May I drop the table legacy_tokens?',
    ...['--blocking-task-id', 't-5', '--type', 'approval', '--urgency', 'critical'],
    ...['--background', 'No read in 90 days. The last back-up is from last night.'],
    ...['--impact', 'A dropped table comes back only from a back-up.', '--file', 'migrations/0001-tables.sql:2'],
  );
  const answer = await me.answerTo(drop);
  if (!(await me.mayGoOn('t-5'))) return;
  if (!answer?.choices.includes('Yes')) {
    await me.status('t-5', 'cancelled');
    return;
  }
  await me.write('migrations/0002-drop-legacy-tokens.sql', 'DROP TABLE legacy_tokens;\n');
  await me.status('t-5', 'done');
}

await Promise.all([builder(), migrator()]);
console.log('\nBoth agents are done.');
