/** At the end: does every program tell the same, is all there that was acknowledged, and is each hold what it should be. */
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
  /** Empty when all is well. */
  readonly wrong: readonly string[];
}

export interface Parties {
  readonly place: Place;
  readonly book: Book;
  readonly servers: readonly ServerUnderTest[];
  readonly shell: Shell;
  readonly windows: readonly EditorWindow[];
}

/** What lists say of one question. */
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
  const told = await everyList(parties);
  const expected = digest(truth);
  book.counts['questions stored whose asker was killed before it was told'] = truth.length - book.asked.size;
  return [
    {
      what: 'every program lists the same questions in the same states as the journal read from its first line',
      checked: told.length,
      wrong: told.filter(({ list }) => digest(list) !== expected).map(({ who, list }) => difference(who, list, truth)),
    },
    {
      what: 'every question that was acknowledged is there',
      checked: book.asked.size,
      wrong: [...book.asked].flatMap(([id, asked]) => {
        const found = truth.find((question) => question.id === id);
        return found?.text === asked.text && (found.work?.id ?? null) === asked.work ? [] : [id];
      }),
    },
    {
      what: 'every answer that was acknowledged is there',
      checked: book.answered.size,
      wrong: [...book.answered].flatMap(([id, said]) =>
        truth.find((question) => question.id === id)?.answer?.text === said ? [] : [id],
      ),
    },
    {
      what: 'an answer that a waiting call returned is the one that was given',
      checked: book.returned.size,
      wrong: [...book.returned].flatMap(([id, said]) => {
        const given = truth.find((question) => question.id === id)?.answer?.text;
        return given === said ? [] : [`${id}: "${said}", not "${String(given)}"`];
      }),
    },
    {
      what: 'every work item that was acknowledged is there',
      checked: book.registered.size,
      wrong: [...book.registered].filter((id) => !work.includes(id)),
    },
    await gates(parties, held, work),
    { what: 'nothing went wrong on the way, no UNKNOWN', checked: total(book), wrong: book.troubles },
  ];
}

/** The whole journal, folded anew by a program that knows neither snapshot nor saved state, only whose keys to trust. */
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

    /** Written down once more, simply: an item is held by its own open sync questions and by those of what it waits for. */
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
  const told: { who: string; list: readonly Listed[] }[] = [];
  for (const server of servers) {
    const { data } = await server.call('list_questions');
    told.push({ who: server.name, list: data['questions'] as Listed[] });
  }
  const { out } = await shell.call('question', 'list');
  told.push({ who: 'shell', list: (JSON.parse(out) as { questions: Listed[] }).questions });
  for (const [index, window] of windows.entries()) {
    const list = await window.evaluate(async ({ vscode }, folder) => {
      interface Api {
        questions(folder: unknown): Promise<{ questions: Listed[] }>;
      }
      const api = vscode.extensions.getExtension<Api>('holdpoint.holdpoint')?.exports;
      return (await api?.questions(vscode.Uri.file(folder)))?.questions ?? [];
    }, place.folder);
    told.push({ who: `window ${String(index + 1)}`, list });
  }
  return told;
}

/** Every work item, asked of an MCP server; some of them on the command line too. */
async function gates({ servers, shell }: Parties, held: ReadonlySet<string>, work: readonly string[]): Promise<Check> {
  const wrong: string[] = [];
  const [server] = servers;
  const expected = (id: string) => (held.has(id) ? 'BLOCKED' : 'CLEAR');
  for (const [index, id] of work.entries()) {
    // Over MCP the session's own questions count too, so only the reasons that name the item are compared.
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
    what: `every work item is BLOCKED or CLEAR as it should be (${String(blocked)} and ${String(work.length - blocked)})`,
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
