/** `holdpoint precedent list|show`. Humans set and end precedents in the editor. */
import type { Command } from 'commander';
import { listPrecedents } from '../../app/question/precedents.ts';
import type { PrecedentView } from '../../app/question/precedents.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { answerLine } from '../../core/kit/answerLine.ts';
import { plural } from '../../core/kit/plural.ts';
import { firstLine } from '../../core/kit/text.ts';
import { formatExclusion } from '../../core/records/precedentPolicyText.ts';
import { clock } from '../../tools/kit/texts.ts';
import type { Verbs } from '../kit/verbs.ts';

export function precedentVerbs(program: Command, verbs: Verbs): void {
  const precedent = program
    .command('precedent')
    .description('answers that a human signed in advance for one class of questions (in the editor)');
  precedent
    .command('list')
    .description('all precedents, newest first, with how often each was used')
    .action((_options: unknown, command: Command) =>
      verbs.read(command, (workspace) => {
        const state = stateOf(workspace.standing());
        const precedents = listPrecedents({ state, now: workspace.now() });
        const never = (state.policy.precedents?.never ?? []).map(formatExclusion);
        return Promise.resolve({
          text: [plural(precedents.length, 'precedent'), ...precedents.map(row), ...excludedText(never)].join('\n'),
          schema: 'precedent_list' as const,
          data: { precedents, total: precedents.length, never },
        });
      }),
    );
  precedent
    .command('show <id>')
    .description('one precedent: what it matches, what it answers, and each use')
    .action((id: string, _options: unknown, command: Command) =>
      verbs.read(command, (workspace) => {
        const all = listPrecedents({ state: stateOf(workspace.standing()), now: workspace.now() });
        const found = all.find((one) => one.id === id);
        if (!found) throw new AppError('not_found', `there is no precedent ${id}`);
        return Promise.resolve({
          text: fullText(found),
          schema: 'precedent_show' as const,
          data: { precedent: found },
        });
      }),
    );
}

type Standing = ReturnType<Parameters<Parameters<Verbs['read']>[1]>[0]['standing']>;

/** `read` has refused a store in any other state. */
function stateOf({ state }: Standing) {
  if (!state) throw new AppError('not_found', 'there is no workspace here');
  return state;
}

const statusWords: Readonly<Record<PrecedentView['status'], string>> = {
  in_force: 'in force',
  used_up: 'used up',
  expired: 'expired',
  ended: 'ended',
};

function row({ id, status, text, answer, uses, uses_at_most: most }: PrecedentView): string {
  const used = `used ${String(uses.length)} of ${plural(most, 'time')}`;
  return `${id} · ${statusWords[status]} · ${firstLine(text, 80)} · "${answerLine(answer)}" · ${used}`;
}

function excludedText(never: readonly string[]): string[] {
  return never.length === 0 ? [] : ['Under the policy, precedents never answer:', ...never.map((rule) => `- ${rule}`)];
}

function fullText(one: PrecedentView): string {
  const lines = [
    `${one.id} · ${statusWords[one.status]} · ${one.type}`,
    `Questions: ${one.text}`,
    ...Object.entries(one.more).map(([name, text]) => `With ${name}: ${text}`),
    `Work: ${one.work === null ? 'any, or none' : one.work.join(', ')}`,
    `Files: ${one.globs.length === 0 ? 'none' : `only in ${one.globs.join(', ')}`}`,
    ...(one.choices.length === 0 ? [] : [`Choices: ${one.choices.join(', ')}`]),
    `Answer: ${answerLine(one.answer)}${one.effect === null ? '' : ` (${one.effect})`}`,
    `Until ${clock(one.until)}, at most ${plural(one.uses_at_most, 'time')}`,
    `Signed by ${one.signed_by}, ${clock(one.signed_at)}, from the answer to ${one.from}`,
    ...(one.ended_at === null ? [] : [endText(one)]),
    ...one.uses.map(
      ({ question, at, taken_back_by: by, taken_back_at: back }) =>
        `${question} · ${clock(at)}${by === null ? '' : ` · taken back by ${by}, ${clock(back ?? at)}`}`,
    ),
  ];
  return lines.join('\n');
}

function endText({ ended_at: at, ended_by: by, end_reason: why }: PrecedentView): string {
  const when = clock(at ?? '');
  return by === null ? `Expired ${when}` : `Ended by ${by}, ${when}: ${why ?? ''}`;
}
