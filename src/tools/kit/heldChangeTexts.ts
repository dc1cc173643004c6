/** What agents read about changes of held files. */
import { firstLine, fewLines, plural } from '../../core/kit/text.ts';
import type { ChangedInCommit } from '../../app/hold/commitGate.ts';
import type { Found } from '../../app/hold/lookAtHeld.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { CurrentState } from '../../core/state/state.ts';

const namedAtMost = 10;

/** Which held files differ now, since which call, and how to restore them. Null if none does. */
export function heldChangesText(state: CurrentState, found: readonly Found[]): string | null {
  const late = found.flatMap(lateText);
  const lines = found.flatMap(({ id, differences, lost }) => {
    const known = state.heldFiles.get(id)?.changes ?? [];
    const named = differences.slice(0, namedAtMost).map(({ path: name, was, is }) => {
      const noted = known.find((one) => one.path === name && one.was === was && one.is === is);
      const how = `${visibleText(name)} is held by ${id} and was changed ${duringText(noted?.call ?? null)}.`;
      return `${how} ${was === null ? 'It did not exist when the hold began. Remove it' : 'Restore it'}: holdpoint restore ${shellWord(name)}`;
    });
    const more = differences.length - named.length;
    return [
      ...named,
      ...(more > 0 ? [`And ${plural(more, 'more file')} held by ${id}.`] : []),
      ...(lost ? [lostText(id)] : []),
    ];
  });
  if (lines.length === 0) return late.length === 0 ? null : late.join('\n');
  return [
    ...fewLines(lines),
    'Do not commit these changes: a commit is denied until they are restored or a human accepts them.',
    ...late,
  ].join('\n');
}

function lateText({ id, late = [] }: Found): string[] {
  if (late.length === 0) return [];
  const shown = late.slice(0, namedAtMost).map(visibleText).join(', ');
  const more = late.length > namedAtMost ? ` and ${String(late.length - namedAtMost)} more` : '';
  return [
    `After this call there was no time to compare the files held by ${id} with their baseline: ${shown}${more}. The next look compares them.`,
  ];
}

export function changedInCommitText({ commit, path: name, held_by: holder, call, lost }: ChangedInCommit): string {
  if (lost) return `Denied: ${commit}: ${lostText(holder)} A human must accept that in the form of ${holder}.`;
  return `Denied: ${visibleText(name)} in ${commit} was changed while ${holder} held it, ${duringText(call)}, and no human has accepted that. Restore it (holdpoint restore ${shellWord(name)}), or ask your human to accept the change in the form of ${holder}.`;
}

function duringText(call: string | null): string {
  return call === null ? 'outside of any call that Holdpoint saw' : `by \`${visibleText(firstLine(call, 200))}\``;
}

function lostText(id: string): string {
  return `It is not known which files held by ${id} were changed, or how to restore all of them: its baseline in .holdpoint/baselines is missing or was changed, or too many files differ.`;
}

function shellWord(name: string): string {
  const shown = visibleText(name);
  return /^[\w./@-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
