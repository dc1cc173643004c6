/** A project with a history, beside a new one: closed questions, finished work, refusals and old events should cost nothing. */
import fs from 'node:fs';
import path from 'node:path';
import type { RecordInput } from '../src/core/records/records.ts';
import { recordOffer } from '../src/app/waiting/delivery.ts';
import { root } from '../test/support/host.ts';
import { agent } from '../test/support/store/people.ts';
import { decideMany } from './deciding.ts';
import { table } from './document.ts';
import { hookCall, hookEvent } from './gate.ts';
import { writeEvents } from './memory.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import { inTurns } from './programs.ts';
import type { Run } from './programs.ts';
import { asker, environmentOf, makeSeed, openPlace, saved } from './seed.ts';
import type { Place } from './seed.ts';
import { median, short, thousands } from './stats.ts';
import { calls, measureCalls } from './tools.ts';

/** Of programs, times what they take in the new project; of tool calls, as in `tools.ts`, milliseconds. */
const goals = { programs: 1.2, calls: 50 };
const open = 10;

interface Past {
  /** Answered, and confirmed by the agent that asked. */
  readonly closed: number;
  /** How many of these refuse something, which still holds. */
  readonly refusals: number;
  readonly events: number;
  /** Finished work items. */
  readonly work: number;
}

export const history: Part = {
  name: 'history',
  what: 'programs and tool calls in a project with thousands of closed questions and finished work items, against a new one',
  minutes: 4,
  async run({ folder, quick, say }) {
    const past = quick
      ? { closed: 500, refusals: 100, events: 500, work: 300 }
      : { closed: 5_000, refusals: 1_000, events: 5_000, work: 3_000 };
    say(`  ${thousands(past.closed)} decisions`);
    const few = { closed: 10, refusals: 1, events: 10, work: 10 };
    const places = [await projectWith(folder, few), await projectWith(folder, past)];
    try {
      const programs = places.map(programsOf);
      const took = await inTurns(programs.flat(), quick ? { rounds: 5, forMs: 20_000 } : { rounds: 15, forMs: 80_000 });
      const [labels = []] = programs;
      const [fewCalls = [], manyCalls = []] = await measureCalls(places, quick ? 10 : 40);
      const rows = [
        ...labels.map(({ what }, at) => rowOf(what, 'programs', took[at], took[at + labels.length])),
        ...calls.map(({ what }, at) => rowOf(what, 'calls', fewCalls[at], manyCalls[at])),
      ];
      return [
        '### A project with a history',
        `With ${String(open)} open questions, ${thousands(past.closed)} that a human answered and their agent has confirmed (${thousands(past.refusals)} with a refusal that still holds), ${thousands(past.events)} events and ${thousands(past.work)} finished work items. The limit is the same with ${String(open)} open questions, 10 closed ones, 1 refusal, 10 events and 10 finished work items. Programs from their start to their exit; tool calls in a program that has the store open.`,
        table(['what', 'p50', 'the limit', 'against the limit', 'goal', 'met'], rows),
      ].join('\n\n');
    } finally {
      for (const place of places) fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
    }
  },
};

function rowOf(
  what: string,
  kind: keyof typeof goals,
  few: readonly number[] = [],
  many: readonly number[] = [],
): string[] {
  const [limit, ours] = [median(few), median(many)];
  const ratio = ours / limit;
  const goal = kind === 'programs' ? `at most ${String(goals.programs)} times` : `at most ${String(goals.calls)} ms`;
  const isMet = met(kind === 'programs' ? ratio : ours, goals[kind]);
  return [what, `${short(ours)} ms`, `${short(limit)} ms`, `${short(ratio)} times`, goal, isMet];
}

async function projectWith(folder: string, { closed, refusals, events, work }: Past): Promise<Place> {
  const place = await makeSeed(folder, closed + open, (write) => {
    writeEvents(write, events);
    for (let number = 1; number <= work; number++) write(Date.now(), asker, [finished(number)]);
  });
  await decideMany(place, closed, (number) => ({
    kind: 'answer',
    answer:
      number <= refusals
        ? { text: 'No.', choices: [], effect: 'do_not' }
        : { text: 'Yes, go on.', choices: [], effect: 'proceed' },
  }));
  const workspace = openPlace(place);
  const store = await workspace.store();
  const ids = Array.from({ length: closed }, (_, at) => `Q-${String(at + 1)}`);
  for (let from = 0; from < closed; from += 500)
    await recordOffer(store, agent(asker.id), ids.slice(from, from + 500), true);
  workspace.close();
  return saved(place);
}

function finished(number: number): RecordInput {
  return {
    kind: 'work.registered',
    v: 1,
    id: `done-${String(number)}`,
    workKind: 'task',
    title: `Import of partner ${String(number)}`,
    status: 'done',
    holds: [`src/partner-${String(number)}`],
  };
}

function programsOf(place: Place): Run[] {
  const env = environmentOf(place);
  const cli = (what: string, ends: number, ...args: string[]): Run => ({
    ...{ what, env, ends },
    args: [path.join(root, 'dist', 'cli.mjs'), '--workspace', place.folder, ...args],
  });
  const hook = (what: string, call: Pick<Run, 'command' | 'args' | 'input'>): Run => ({ what, env, ends: 0, ...call });
  return [
    cli('`holdpoint gate`, allowed', 0, 'gate', '--work', 'free', '--file', 'docs/readme.md'),
    hook('a hook, an allowed edit', hookCall(place, 'Edit', 'docs/readme.md')),
    hook('a hook, a prompt', hookEvent(place, { hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' })),
    hook('a hook, the end of a turn', hookEvent(place, { hook_event_name: 'Stop', stop_hook_active: false })),
    cli('`holdpoint question list`', 0, 'question', 'list', '--json'),
    cli('`holdpoint question list --urgent`, which loads SQLite', 0, 'question', 'list', '--urgent', '--json'),
    cli('`holdpoint search`', 0, 'search', 'cache', '--json'),
    cli('`holdpoint inbox`', 0, 'inbox', '--json'),
  ];
}
