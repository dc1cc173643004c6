/** The output and exit code of each channel for an outcome. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { attestAll, writeAttestations } from '../../../src/app/audit/attestations.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import { callTool, dataKey, toolNamed } from '../../../src/mcp/server.ts';
import { runAgentTool } from '../../../src/tools/agent/tool.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { formatPublicKey, formatWorkspace } from '../../../src/trust/publicKeys.ts';
import { checkPrinted } from '../../support/outputs.ts';
import { realFs, wasm } from '../../support/store/sandbox.ts';
import { asker, write, type Place } from './place.ts';
import { ask, type Scenario } from './scenarios.ts';

export interface Said {
  /** Null for a channel that is not a program. */
  readonly exit: number | null;
  readonly result: string | null;
  readonly text: string;
}

/** Null if the channel does not concern this kind of item. */
type Channel = (fresh: () => Promise<Place>, scenario: Scenario) => Promise<Said | null>;

export const channels: Readonly<Record<string, Channel>> = {
  await: verb(({ id }) => awaiting(id), { deliversOnce: true }),
  'create --wait': createAndWait,
  MCP: once(mcp),
  'language-model tool': once(languageModelTool),
  gate: verb(() => ['gate', '--work', 't-1']),
  'commit gate': verb(commitGate),
  'CI check': verb(ciCheck),
  hook: once(hook),
  notification: once(notification),
};

/** Runs in a workspace where the outcome has happened. */
function once(look: (place: Place, scenario: Scenario) => Promise<Said | null>): Channel {
  return async (fresh, scenario) => look(await happened(fresh, scenario), scenario);
}

async function happened(fresh: () => Promise<Place>, scenario: Scenario): Promise<Place> {
  const place = await fresh();
  await ask(place, scenario);
  await scenario.happens(place);
  return place;
}

/**
 * Asks once for people and once for programs.
 * @param deliversOnce Then programs ask in another workspace.
 */
function verb(
  argv: (scenario: Scenario, place: Place) => readonly string[] | null,
  { deliversOnce = false } = {},
): Channel {
  return async (fresh, scenario) => {
    const place = await happened(fresh, scenario);
    const words = argv(scenario, place);
    if (words === null) return null;
    const { code, text } = await place.cli(...words);
    const another = deliversOnce ? await happened(fresh, scenario) : place;
    const printed = await another.cli(...words, '--json');
    checkPrinted(printed.text);
    const { result = null } = JSON.parse(printed.text) as { result?: string };
    return { exit: code, result, text };
  };
}

function awaiting(id: Scenario['id']): readonly string[] | null {
  if (id === 'E-1') return null;
  const verbs = { 'Q-1': 'question', 'RFC-1': 'rfc', 'R-1': 'request' } as const;
  return [verbs[id], 'await', id, '--wait', '0'];
}

async function createAndWait(fresh: () => Promise<Place>, scenario: Scenario): Promise<Said | null> {
  if (scenario.id !== 'Q-1') return null;
  const place = await fresh();
  const options = { text: 'text', type: 'type', work_id: 'blocking-task-id', mode: 'mode', assumption: 'assumption' };
  const given = Object.entries(scenario.asks).flatMap(([name, value]) => [
    `--${options[name as keyof typeof options]}`,
    String(value),
  ]);
  const waits = String(scenario.wait ?? (scenario.happens.length > 0 ? 20 : 0));
  const asked = place.cli('question', 'create', ...given, '--wait', waits, '--json');
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setInterval(() => {
      place.workspace.changed();
      if (place.store.read().state.questions.size > 0) resolve();
    }, 10);
  });
  clearInterval(timer);
  await scenario.happens(place);
  place.workspace.changed();
  const { code, text: printed } = await asked;
  checkPrinted(printed);
  const { result } = JSON.parse(printed) as { result: string };
  // The same call again prints the same for people.
  const { text } = await place.cli('question', 'await', 'Q-1', '--wait', '0');
  return { exit: code, result, text };
}

function reading(id: Scenario['id']): readonly [string, object] {
  return id === 'E-1' ? ['holdpoint_list_items', { id }] : ['holdpoint_await_answer', { id, wait_seconds: 0 }];
}

async function languageModelTool({ workspace }: Place, { id }: Scenario): Promise<Said> {
  const [name, input] = reading(id);
  const context = { workspace, session: asker, signal: new AbortController().signal, waitMs: 0 };
  const { text } = await runAgentTool(toolNamed(name)!, context, input);
  return { exit: null, result: null, text };
}

async function mcp({ workspace }: Place, { id }: Scenario): Promise<Said> {
  const [name, input] = reading(id);
  const call = { workspace, session: asker, signal: new AbortController().signal, progress: null };
  const { content, _meta } = await callTool(toolNamed(name)!, input, call);
  const { result = null } = _meta?.[dataKey] as { readonly result?: string };
  return { exit: null, result, text: content[0]?.type === 'text' ? content[0].text : '' };
}

/** A commit whose message names the item. */
function commitGate({ id }: Scenario, place: Place): readonly string[] | null {
  if (id === 'R-1' || id === 'E-1') return null;
  place.git('status');
  return ['gate', '--message-file', write(place, 'message.txt', `Do it (${id})\n`)];
}

function ciCheck({ id }: Scenario, place: Place): readonly string[] | null {
  if (id === 'R-1' || id === 'E-1') return null;
  const { workspace, git, human, sandbox } = place;
  const decisions = sandbox.at('ws', '.holdpoint', 'decisions');
  writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  if (existsSync(decisions)) git('add', '-f', decisions);
  git('commit', '-q', '--allow-empty', '-m', `Do it (${id})`);
  const keys = write(
    place,
    'keys.txt',
    `${formatWorkspace(workspace.standing().state?.workspace?.id ?? '')}\n${formatPublicKey(human.pin)}\n`,
  );
  return ['check', '--base', 'HEAD~1', '--attestations', decisions, '--keys', keys];
}

/** The output of the asker’s session hook for its next prompt. */
async function hook({ sandbox }: Place): Promise<Said> {
  const payload = { hook_event_name: 'UserPromptSubmit', session_id: 'first', cwd: sandbox.folder, prompt: 'Continue' };
  const { exit, out, err } = await answerHook(
    { host: 'claude-code', folder: sandbox.folder, bytes: Buffer.from(JSON.stringify(payload)) },
    {
      ...{ fs: realFs, platform: 'linux', home: sandbox.home, newId: randomUUID, wasm },
      ...{ env: { HOLDPOINT_AGENT_ID: asker.actor.id }, clock: () => sandbox.clock.now },
    },
  );
  if (out === '') return { exit, result: null, text: err };
  const { hookSpecificOutput } = JSON.parse(out) as { hookSpecificOutput: { additionalContext: string } };
  return { exit, result: null, text: hookSpecificOutput.additionalContext };
}

/** The last event that other extensions receive. */
function notification({ workspace, notifications }: Place): Promise<Said | null> {
  workspace.changed();
  const last = notifications.at(-1);
  return Promise.resolve(last ? { exit: null, result: last.type, text: JSON.stringify(last) } : null);
}
