/**
 * What a real host sends to hooks, kept by a hook of the user's own beside Holdpoint's: so that the recorded fixtures are
 * held against the host each time. With HOLDPOINT_RECORD=FOLDER what was kept is written there, to make fixtures from.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostName } from '../../src/hosts/names.ts';
import { root } from './host.ts';

type Payload = Readonly<Record<string, unknown>>;

const events = ['PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'];

export interface Keeper {
  /**
   * Each fixture of an event and tool that was seen has the form of one that came.
   * @param seen events and tools that must be among them, for example `PreToolUse Edit`
   */
  compare(host: HostName, seen: readonly string[]): Promise<void>;
}

/**
 * @param file the host's own file of hooks, which setup leaves alone; made here
 * @param folder where payloads are kept: outside the workspace
 */
export async function keepPayloads(
  file: string,
  folder: string,
  form: 'vscode' | 'claude-code',
  names: Readonly<Record<string, string>>,
): Promise<Keeper> {
  const hook = { type: 'command', command: `cat > "$(mktemp '${folder}/XXXXXXXX')"` };
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

/** Names and types of fields. What a tool answered, and what a model may leave out, is not looked into. */
function formOf(payload: Payload): string {
  const names = Object.keys(payload).sort();
  return names.map((name) => `${name}: ${Array.isArray(payload[name]) ? 'array' : typeof payload[name]}`).join(', ');
}
