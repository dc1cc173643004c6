/**
 * What a tool of another MCP server may reach. Its input has no known form: paths, commands, program text and patches
 * are looked for in every field.
 */
import type { ToolUse } from '../call.ts';
import { classify } from '../shell/classify.ts';
import { isPathKey, textsIn } from './fields.ts';
import type { Fields } from './fields.ts';
import { filesOfPatch } from './patch.ts';

const folderKey = /cwd|root|dir|folder|base|work(?:ing|space|tree)/i;
const commandKey = /command|cmd|shell|exec|^args$|^argv$|script/i;
const programKey = /^(?:code|source_?code|program|expression|function|query|js|javascript|python)$/i;

/** A resource of another machine. As a path it would have `..` to come back from the folder of that name. */
function isRemote(text: string): boolean {
  return /^(?:https?|wss?):\/\/[\w[]/i.test(text) && !/(?:^|[/\\])\.{1,2}(?:[/\\]|$)|%2e|[\u0000-\u0020\\]/i.test(text);
}

export function reachOfServerTool(
  input: Fields,
): Pick<ToolUse, 'files' | 'named' | 'wholeTree' | 'opaque' | 'command' | 'text'> {
  const all = textsIn(input, () => true);
  const paths = textsIn(input, isPathKey);
  const folders = textsIn(input, (key) => folderKey.test(key));
  const commands = textsIn(input, (key) => commandKey.test(key));
  const programs = textsIn(input, (key) => programKey.test(key));
  if (!all || !paths || !folders || !commands || !programs)
    return { files: [], named: [], wholeTree: false, opaque: true, command: '', text: '' };
  const ran = commands.map((command) => classify(command, 'posix'));
  const patches = all.filter((text) => text.includes('\n')).map(filesOfPatch);
  const bases = ['.', ...new Set(folders)];
  const named = all.filter((text) => /^[^\s]+$/.test(text) && /[/\\]|\.\w+$/.test(text) && !isRemote(text));
  return {
    files: paths.filter((text) => !isRemote(text)),
    named: [
      ...[...named, ...patches.flatMap((files) => files ?? [])].map((path) => ({ path, bases })),
      ...paths.filter((text) => !isRemote(text)).map((path) => ({ path, bases })),
      ...ran.flatMap((one) => (one.readOnly ? [] : one.paths)),
    ],
    wholeTree: ran.some((one) => one.wholeTree),
    opaque: patches.includes(null) || ran.some((one) => one.opaque !== null),
    command: commands.join('\n'),
    text: [...commands.filter((_, index) => ran[index]?.readOnly !== true), ...programs].join('\n'),
  };
}
