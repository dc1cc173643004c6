/** Tool calls in a program that stays open, as an MCP server makes them: with thousands of open questions and with ten. */
import fs from 'node:fs';
import path from 'node:path';
import { isBaselineDue, takeBaselines } from '../src/app/hold/takeBaselines.ts';
import { checkGate } from '../src/tools/hold/checkGate.ts';
import { runOperation } from '../src/tools/kit/operation.ts';
import type { Operation, ToolContext } from '../src/tools/kit/operation.ts';
import { getBriefing } from '../src/tools/memory/memory.ts';
import { awaitAnswer } from '../src/tools/question/waiting.ts';
import { listQuestions } from '../src/tools/question/reading.ts';
import { raiseQuestion } from '../src/tools/question/asking.ts';
import { agent } from '../test/support/store/people.ts';
import { table } from './document.ts';
import type { Part } from './part.ts';
import { met } from './part.ts';
import { copySeed, openPlace } from './seed.ts';
import type { Place } from './seed.ts';
import { median, quantile, short, thousands } from './stats.ts';

/** As for any pause of a program that others wait for. Milliseconds. */
const goal = 50;

interface Call {
  /** Label in the table. */
  readonly what: string;
  readonly tool: Operation;
  readonly input: (round: number) => object;
}

export const calls: readonly Call[] = [
  {
    what: '`holdpoint_check_gate`, allowed',
    tool: checkGate,
    input: () => ({ work_id: 'free', files: ['docs/readme.md'] }),
  },
  {
    what: '`holdpoint_check_gate`, denied',
    tool: checkGate,
    input: (round) => ({ work_id: `t-${String(round % 100)}` }),
  },
  { what: '`holdpoint_list_items`', tool: listQuestions, input: () => ({}) },
  { what: '`holdpoint_get_briefing`', tool: getBriefing, input: () => ({ focus: 'src/area-7/import.ts' }) },
  {
    what: '`holdpoint_raise_question`',
    tool: raiseQuestion,
    input: (round) => ({ text: `May I go on (${String(round)})?`, type: 'decision', work_id: 't-7' }),
  },
  { what: '`holdpoint_await_answer`', tool: awaitAnswer, input: () => ({ wait_seconds: 0 }) },
];

export const tools: Part = {
  name: 'tools',
  what: 'tool calls in an open program with 10,000 open questions, against the same with ten',
  minutes: 2,
  async run({ folder, quick, seed }) {
    const sizes = [10, 10_000];
    const places = await Promise.all(sizes.map(async (size) => copySeed(folder, await seed(size))));
    try {
      const [few = [], many = []] = await measureCalls(places, quick ? 10 : 60);
      const rows = calls.map(({ what }, at) => {
        const [limit = [], all = []] = [few[at], many[at]];
        return [
          what,
          ...[`${short(median(all))} ms`, `${short(quantile(all, 0.95))} ms`, `${short(median(limit))} ms`],
          ...[`at most ${String(goal)} ms`, met(median(all), goal)],
        ];
      });
      return [
        `### Operation calls with ${thousands(sizes[1] ?? 0)} open questions`,
        'In a program that has the store open, from the call to its result, in turns. The limit is the same call with ten open questions. A question that is raised is on disk, and its held files are noted.',
        table(['tool', 'p50', 'p95', 'the limit', 'goal', 'met'], rows),
      ].join('\n\n');
    } finally {
      for (const place of places) fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
    }
  },
};

/** Milliseconds of each call, by place. */
export async function measureCalls(places: readonly Place[], rounds: number): Promise<number[][][]> {
  const contexts = await Promise.all(places.map(openFor));
  const took = places.map(() => calls.map((): number[] => []));
  try {
    for (let round = -5; round < rounds; round++)
      for (const [at, { tool, input }] of calls.entries())
        for (const [place, context] of contexts.entries()) {
          const began = performance.now();
          const { status, text } = await runOperation(tool, context, input(round));
          const ms = performance.now() - began;
          if (status === 'error') throw new Error(`${tool.name}: ${text}`);
          if (round >= 0) took[place]?.[at]?.push(ms);
        }
  } finally {
    for (const { workspace } of contexts) workspace.close();
  }
  return took;
}

/** Every hold has its baseline, as asking programs leave them. */
async function openFor(place: Place): Promise<ToolContext> {
  const workspace = openPlace(place);
  await workspace.store();
  await takeBaselines(workspace);
  if (isBaselineDue(workspace)) throw new Error('a baseline is missing');
  return { workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 };
}
