/** One question with everything that a human is shown of it, in the order in which a person reads it. */
import { shortAgent } from '../../core/kit/persons.ts';
import type { QuestionView } from '../../app/question/views.ts';
import { part, partList } from '../kit/inFull.ts';
import { awaitedText } from '../kit/parkingTexts.ts';
import type { Reader } from '../kit/reader.ts';
import { clock, filesText, namedWork, named } from '../kit/texts.ts';

export function questionInFull(question: QuestionView, reader: Reader): string {
  const { id, type, urgency, mode, agent_id: agent, agent_name: name, raised_at: raised, for: to } = question;
  const asker = name === shortAgent(agent) || name === agent ? name : `${name} (${agent})`;
  return [
    `${id} · ${type} · ${urgency} · ${mode}${to === null ? '' : ` · for ${to}`} · asked by ${asker}, ${clock(raised)}`,
    question.text,
    part('Impact', question.impact),
    part('If this waits', question.if_delayed),
    part('Background', question.background),
    part('Context', question.context),
    part('Assumption', question.assumption),
    partList(`Choices${question.multiple ? ' (several may be picked)' : ''}`, question.choices.map(choiceLine)),
    question.choices.length > 0 && question.free_text && question.type !== 'approval'
      ? 'Another answer, in words, is possible.'
      : '',
    partList('Alternatives', question.alternatives),
    partList(
      'Files to look at',
      question.files.map(({ path, line }) => (line === undefined ? path : `${path}:${String(line)}`)),
    ),
    part('Work', question.work && named(question.work)),
    question.holding && question.blocks.length > 0 ? part('Holds', namedWork(question.blocks)) : '',
    question.cascade.length === 0 ? '' : part('And what depends on it', namedWork(question.cascade)),
    question.holds.length === 0 && !question.all_files ? '' : part('Held files', filesText(question)),
    part('Open question of', question.rfc),
    part('Reopens', question.reopens && `${question.reopens}: ${question.reopen_reason ?? ''}`),
    part('Data', question.payload_json && JSON.stringify(question.payload_json)),
    question.resolution === null ? part('Expires', question.expires_at && clock(question.expires_at)) : '',
    ...question.ask_backs.map(
      ({ asked_by, asked_at, text, reply, replied_by, replied_at }) =>
        `${asked_by} asked back, ${clock(asked_at)}: ${text}\n  ${reply === null ? 'No reply yet.' : `${replied_by ?? agent} replied, ${clock(replied_at ?? asked_at)}: ${reply}`}`,
    ),
    part('Answer taken back', question.revoked && `by ${question.revoked.by}: ${question.revoked.reason}`),
    awaitedText(question, reader),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function choiceLine({ label, description, recommended, effect }: QuestionView['choices'][number]): string {
  const marks = [
    ...(recommended ? ['recommended'] : []),
    ...(effect === undefined ? [] : [effect.replaceAll('_', ' ')]),
  ];
  return `${label}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}${description === undefined ? '' : `: ${description}`}`;
}
