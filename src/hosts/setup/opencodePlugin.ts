/** opencode has plugins instead of hook commands: this one runs the same program, and throws when it denies. */
import { lastLine, lastLineOnWindows } from './launcher.ts';
import { launching, type Place } from './place.ts';

export function opencodePlugin(place: Place): string {
  const { launcher, workspace, platform } = place;
  const [command, ...before] = launching(place);
  const all = [...before, 'hook', 'opencode', '--workspace', workspace];
  return `// Written by Holdpoint's setup; taken out again by "holdpoint setup --remove". What is changed here is noticed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const command = ${JSON.stringify(command)};
const args = ${JSON.stringify(all)};
const unknown = 'Holdpoint cannot tell whether this may continue, so it is denied. Open the folder in VS Code once, or run: holdpoint setup --check';

/** What tools were called with, until they have run. */
const called = new Map();

/** Whether held files may have to be looked at: not where this folder has the store, and no baseline. */
function mayBeHeld() {
  const has = (name) => existsSync(${JSON.stringify(workspace)} + '/' + name);
  return has('.holdpoint/baselines') || !(has('.holdpoint') || has('.git'));
}

function textIn(out, name) {
  try {
    const { [name]: text } = JSON.parse(out);
    return typeof text === 'string' ? text : '';
  } catch {
    return '';
  }
}

/** An empty or torn launcher would succeed. */
function isWhole() {
  try {
    return readFileSync(${JSON.stringify(platform === 'win32' ? `${launcher}.cmd` : launcher)}, 'utf8').trimEnd().split(/\\r?\\n/).at(-1) === ${JSON.stringify(platform === 'win32' ? lastLineOnWindows : lastLine)};
  } catch {
    return false;
  }
}

/** Runs the program; throws when it denies or cannot be run. */
function ask(event) {
  return new Promise((resolve, reject) => {
    if (!isWhole()) {
      reject(new Error(unknown));
      return;
    }
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    let out = '';
    let said = '';
    const late = setTimeout(() => child.kill('SIGKILL'), ${String(30_000)});
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    child.stderr.setEncoding('utf8').on('data', (text) => { said += text; });
    child.stdin.on('error', () => undefined);
    child.on('error', () => { clearTimeout(late); reject(new Error(unknown)); });
    child.on('close', (code) => {
      clearTimeout(late);
      if (code === 0) resolve(out);
      else reject(new Error(code === 2 ? textIn(out, 'deny') || said.trim() || unknown : unknown));
    });
    child.stdin.end(JSON.stringify(event));
  });
}

export const Holdpoint = async ({ directory }) => ({
  'tool.execute.before': async (input, output) => {
    await ask({
      v: 1,
      hook_event_name: 'PreToolUse',
      session_id: input.sessionID,
      tool_name: input.tool,
      tool_input: output.args,
      cwd: directory,
    });
    called.set(input.callID, output.args);
  },
  'tool.execute.after': async (input, output) => {
    const args = called.get(input.callID) ?? {};
    called.delete(input.callID);
    if (input.tool !== 'question' && !mayBeHeld()) return;
    const event = {
      v: 1,
      hook_event_name: 'PostToolUse',
      session_id: input.sessionID,
      tool_name: input.tool,
      tool_input: args,
      tool_response: { metadata: output.metadata },
      cwd: directory,
    };
    const said = textIn(await ask(event).catch(() => ''), 'context');
    if (said !== '') output.output = \`\${output.output ?? ''}\\n\${said}\`;
  },
});
`;
}
