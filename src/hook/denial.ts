/** Why a call is denied, and what its agent can do. */
import type { GateReason } from '../core/hold/gate.ts';
import { isRfc } from '../core/hold/holds.ts';
import { toolGuide } from '../core/kit/guide.ts';
import { writersOf } from '../core/rfc/rfc.ts';
import type { ToolUse } from '../hosts/call.ts';
import { gateText } from '../tools/kit/gateText.ts';
import type { Reach } from './reach.ts';

/** What the agent can do instead. */
function advice(
  { name, command, unread, instead, opaque, wholeTree }: ToolUse,
  unresolved: readonly string[],
): string[] {
  if (wholeTree)
    return [
      'This may change files throughout the worktree. "git checkout", "git restore", "git stash push" and "git clean -f" may continue with the names of files that are not held after "--"; otherwise wait for the answer.',
    ];
  if (command !== '' && unread !== '')
    return [
      `This part of the command was not understood, so it may change held files: ${unread}. Split it into plain commands, write the names of files out instead of computing them, or use a tool that edits files.`,
    ];
  const [where] = unresolved;
  if (where !== undefined)
    return [`It is not known which file "${where}" is, so it may be a held one: name files by their absolute paths.`];
  if (instead !== '') return [instead];
  if (opaque)
    return [`The input of ${name} does not say which files it changes. Name them, or use a tool that edits files.`];
  if (command === '') return [];
  return [
    'The command names held files, or a folder that contains them. Name only files that are not held, and begin with "cd <absolute folder> &&" if paths are relative.',
  ];
}

/** An RFC often holds the file that its author wrote it in. */
function revising(reasons: readonly GateReason[], agents: readonly string[]): string[] {
  const own = reasons.flatMap(({ holder }) =>
    holder && isRfc(holder) && holder.ended === null && writersOf(holder).some((by) => agents.includes(by))
      ? [holder.id]
      : [],
  );
  return [...new Set(own)].map(
    (id) =>
      `The author of ${id} can still revise it: ${toolGuide.name('update_rfc', { id })} takes its text as markdown, without a file.`,
  );
}

interface Denied extends Pick<Reach, 'unresolved'> {
  /** Those that the caller may be, if that is known. */
  readonly agents?: readonly string[];
}

export function denial(reasons: readonly GateReason[], tool: ToolUse, { unresolved, agents = [] }: Denied): string {
  const lines = [
    gateText(
      { verdict: 'deny', state: 'BLOCKED', problem: null, reasons, conditions: [], constraints: [] },
      { guide: toolGuide, asked: tool.name },
    ),
  ];
  if (reasons.every(({ code }) => code === 'held_file')) lines.push(...advice(tool, unresolved));
  lines.push(
    ...revising(reasons, agents),
    "Only a human can release this hold. Reading, searching and Holdpoint's own tools still work; do not work around this.",
  );
  return lines.join('\n');
}
