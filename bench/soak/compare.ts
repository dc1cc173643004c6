/** Final checks: all programs agree, everything acknowledged exists, and every hold is correct. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isHolding } from '../../src/core/state/state.ts';
import type { Place } from '../../test/support/mcp.ts';
import { temporaryFolder } from '../../test/support/temporary.ts';
import type { EditorWindow } from '../../test/support/window.ts';
import { openPlace } from '../seed.ts';
import type { Book } from './book.ts';
import type { ServerUnderTest } from './server.ts';
import type { Shell } from './shell.ts';

export interface Check {
  readonly what: string;
  readonly checked: number;
  /** Empty if everything is correct. */
  readonly wrong: readonly string[];
}

export interface Parties {
  readonly place: Place;
  readonly book: Book;
  readonly servers: readonly ServerUnderTest[];
  readonly shell: Shell;
  readonly windows: readonly EditorWindow[];
}

/** One question as shown in lists. */
interface Listed {
  readonly id: string;
  readonly text: string;
  readonly mode: string;
  readonly status: string;
  readonly resolution: string | null;
  readonly answer: { readonly text: string | null } | null;
  readonly work: { readonly id: string } | null;
}

export async function compare(parties: Parties): Promise<Check[]> {
  const { book } = parties;
  await sleep(2_000); // a window polls once a second where watching fails
  const { questions: truth, held, work } = await fromTheFirstLine(parties.place);
  const reported = await everyList(parties);
  const expected = digest(truth);
  book.counts['questions stored whose asker was killed before it got the result'] = truth.length - book.asked.size;
  return [
    {
      what: 'every program lists the same questions in the same states as the journal read from its first line',
      checked: reported.length,
      wrong: reported
        .filter(({ list }) => digest(list) !== expected)
        .map(({ who, list }) => difference(who, list, truth)),
    },
    {
      what: 'every acknowledged question exists',
      checked: book.asked.size,
      wrong: [...book.asked].flatMap(([id, asked]) => {
        const found = truth.find((question) => question.id === id);
        return found?.text === asked.text && (found.work?.id ?? null) === asked.work ? [] : [id];
      }),
    },
    {
      what: 'every acknowledged answer exists',
      checked: book.answered.size,
      wrong: [...book.answered].flatMap(([id, said]) =>
        truth.find((question) => question.id === id)?.answer?.text === said ? [] : [id],
      ),
    },
    {
      what: 'waiting calls returned the answers that were given',
      checked: book.returned.size,
      wrong: [...book.returned].flatMap(([id, said]) => {
        const given = truth.find((question) => question.id === id)?.answer?.text;
        return given === said ? [] : [`${id}: "${said}", not "${String(given)}"`];
      }),
    },
    {
      what: 'every acknowledged work item exists',
      checked: book.registered.size,
      wrong: [...book.registered].filter((id) => !work.includes(id)),
    },
    await gates(parties, held, work),
    { what: 'no errors during the run, and no UNKNOWN', checked: total(book), wrong: book.troubles },
  ];
}

/** Replays the whole journal without snapshot or saved state, knowing only which keys to trust. */
async function fromTheFirstLine(place: Place) {
  const elsewhere = await temporaryFolder();
  const keyring = path.join('.local', 'state', 'holdpoint');
  mkdirSync(path.join(elsewhere.folder, keyring), { recursive: true });
  cpSync(path.join(place.home, keyring), path.join(elsewhere.folder, keyring), {
    recursive: true,
    filter: (file) => !file.endsWith(`${path.sep}stores`),
  });
  const workspace = openPlace({ folder: place.folder, home: elsewhere.folder });
  try {
    const { state, problem } = workspace.standing();
    if (problem) throw new Error(problem.message);
    const questions = [...state.questions.values()].map(({ id, raised, mode, status, resolution }): Listed => ({
      id,
      text: raised.text,
      mode,
      status,
      resolution: resolution?.how ?? null,
      answer: resolution?.answer ? { text: resolution.answer.text ?? null } : null,
      work: raised.work === null ? null : { id: raised.work },
    }));
    return { questions, held: heldNow(), work: [...state.work.keys()] };

    /** A simple second implementation: an item is held by its own open sync questions and those of its dependencies. */
    function heldNow(): Set<string> {
      const direct = new Set(
        [...(state?.questions.values() ?? [])].filter(isHolding).flatMap(({ raised }) => raised.work ?? []),
      );
      const isHeld = (id: string): boolean => direct.has(id) || (state?.work.get(id)?.dependsOn.some(isHeld) ?? false);
      return new Set([...(state?.work.keys() ?? [])].filter(isHeld));
    }
  } finally {
    workspace.close();
    await elsewhere.remove();
  }
}

async function everyList({ servers, shell, windows, place }: Parties) {
  const reported: { who: string; list: readonly Listed[] }[] = [];
  for (const server of servers) {
    const { data } = await server.call('list_questions');
    reported.push({ who: server.name, list: data['questions'] as Listed[] });
  }
  const { out } = await shell.call('question', 'list');
  reported.push({ who: 'shell', list: (JSON.parse(out) as { questions: Listed[] }).questions });
  for (const [index, window] of windows.entries()) {
    const list = await window.evaluate(async ({ vscode }, folder) => {
      interface Api {
        questions(folder: unknown): Promise<{ questions: Listed[] }>;
      }
      const api = vscode.extensions.getExtension<Api>('holdpoint.holdpoint')?.exports;
      return (await api?.questions(vscode.Uri.file(folder)))?.questions ?? [];
    }, place.folder);
    reported.push({ who: `window ${String(index + 1)}`, list });
  }
  return reported;
}

/** Asks an MCP server about every work item, and the command line about some. */
async function gates({ servers, shell }: Parties, held: ReadonlySet<string>, work: readonly string[]): Promise<Check> {
  const wrong: string[] = [];
  const [server] = servers;
  const expected = (id: string) => (held.has(id) ? 'BLOCKED' : 'CLEAR');
  for (const [index, id] of work.entries()) {
    // Over MCP the session's own questions count too, so compare only reasons that name the item.
    const data = (await server?.call('check_gate', { work_id: id }))?.data ?? {};
    const reasons = (data['reasons'] ?? []) as { code: string; subject: string }[];
    const state =
      data['state'] === 'UNKNOWN' ? 'UNKNOWN' : reasons.some(({ subject }) => subject === id) ? 'BLOCKED' : 'CLEAR';
    if (state !== expected(id)) wrong.push(`${id}: ${state} over MCP, not ${expected(id)}`);
    if (index % Math.ceil(work.length / 20) !== 0) continue;
    const { code, out } = await shell.call('gate', '--work', id);
    if (code !== (held.has(id) ? 2 : 0)) wrong.push(`${id}: exit ${String(code)} on the command line (${out})`);
  }
  const blocked = work.filter((id) => held.has(id)).length;
  return {
    what: `every work item is correctly BLOCKED or CLEAR (${String(blocked)} and ${String(work.length - blocked)})`,
    checked: work.length,
    wrong,
  };
}

function digest(list: readonly Listed[]): string {
  return list.map(line).sort().join('\n');
}

function line({ id, text, mode, status, resolution, answer, work }: Listed): string {
  return JSON.stringify([id, text, mode, status, resolution, answer?.text ?? null, work?.id ?? null]);
}

function difference(who: string, list: readonly Listed[], truth: readonly Listed[]): string {
  const lines = new Set(list.map(line));
  const missing = truth.map(line).filter((each) => !lines.has(each));
  return `${who} tells ${String(list.length)} of ${String(truth.length)}, first difference ${missing[0] ?? 'one too many'}`;
}

function total({ counts }: Book): number {
  return (counts['calls over MCP'] ?? 0) + (counts['calls on the command line'] ?? 0);
}
