/**
 * Payloads that a real host sends to hooks, recorded by a user hook beside Holdpoint's, to compare them with the
 * fixtures in each run. HOLDPOINT_RECORD=FOLDER writes them to that folder, for new fixtures.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostName } from '../../src/hosts/host.ts';
import { root } from './host.ts';

type Payload = Readonly<Record<string, unknown>>;

const claudeEvents = ['PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'];
const geminiEvents = ['BeforeTool', 'AfterTool', 'SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd'];

export interface Keeper {
  /**
   * Asserts that each fixture of a seen event and tool has the shape of a received payload.
   * @param seen events and tools that must be among them, for example `PreToolUse Edit`
   */
  compare(host: HostName, seen: readonly string[]): Promise<void>;
}

/**
 * @param file the host's own hooks file, created here, which setup does not touch
 * @param folder for the payloads, outside the workspace
 */
export async function keepPayloads(
  file: string,
  folder: string,
  form: 'vscode' | 'claude-code' | 'gemini-cli',
  names: Readonly<Record<string, string>>,
): Promise<Keeper> {
  const hook = { type: 'command', command: `cat > "$(mktemp '${folder}/XXXXXXXX')"` };
  const events = form === 'gemini-cli' ? geminiEvents : claudeEvents;
  const hooks = Object.fromEntries(events.map((event) => [event, [form === 'vscode' ? hook : { hooks: [hook] }]]));
  for (const each of [folder, path.dirname(file)]) await mkdir(each, { recursive: true });
  await writeFile(file, JSON.stringify({ hooks }));

  async function kept(): Promise<Payload[]> {
    const files = await readdir(folder);
    const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
    return texts.map((text) => {
      const renamed = Object.entries(names).reduce((before, [from, to]) => before.replaceAll(from, to), text);
      return JSON.parse(renamed) as Payload;
    });
  }

  return {
    async compare(host, seen) {
      const payloads = await kept();
      await record(host, payloads);
      const came = new Set(payloads.map(kindOf));
      assert.deepEqual(
        seen.filter((kind) => !came.has(kind)),
        [],
        [...came].join(', '),
      );
      const fixtures = path.join(root, 'test', 'fixtures', 'hooks', host);
      for (const name of await readdir(fixtures)) {
        const { payload } = JSON.parse(await readFile(path.join(fixtures, name), 'utf8')) as { payload: Payload };
        const forms = payloads.filter((one) => kindOf(one) === kindOf(payload)).map(formOf);
        if (forms.length === 0) continue;
        const wanted = formOf(payload);
        const message = `${host} no longer sends what ${name} was recorded from: ${wanted} is not in ${forms.join(' ')}`;
        assert.ok(forms.includes(wanted), message);
      }
    },
  };
}

async function record(host: HostName, payloads: readonly Payload[]): Promise<void> {
  const into = process.env['HOLDPOINT_RECORD'];
  if (into === undefined) return;
  await mkdir(path.join(into, host), { recursive: true });
  for (const [index, payload] of payloads.entries()) {
    const name = `${kindOf(payload).replace(' ', '-')}.${String(index)}.json`;
    await writeFile(path.join(into, host, name), `${JSON.stringify({ is: {}, payload }, null, 2)}\n`);
  }
}

function kindOf({ hook_event_name: event, tool_name: tool }: Payload): string {
  return typeof tool === 'string' ? `${String(event)} ${tool}` : String(event);
}

/** Names and types of fields. Ignores tool results, and fields that a model may omit. */
function formOf(payload: Payload): string {
  const names = Object.keys(payload).sort();
  return names.map((name) => `${name}: ${Array.isArray(payload[name]) ? 'array' : typeof payload[name]}`).join(', ');
}
