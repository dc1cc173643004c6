/** Briefing and search of project memory in this program; the search compared with native SQLite's FTS5. */
import fs from 'node:fs';
import path from 'node:path';
import { briefingOf } from '../src/app/memory/briefing.ts';
import { searchEvents } from '../src/app/memory/search.ts';
import type { RecordInput } from '../src/core/records/records.ts';
import { eventPriority, eventType } from '../src/core/kit/words.ts';
import { journalPath } from '../src/store/journal/segments.ts';
import { table } from './document.ts';
import { nativeName, openNative } from './native.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import {
  asker,
  newPlace,
  openJournalWriter,
  openPlace,
  saved,
  snapshotFile,
  system,
  workspaceCreated,
} from './seed.ts';
import type { Seed } from './seed.ts';
import { median, quantile, sharedNow, short, thousands } from './stats.ts';

const goals = { briefing: 30, search: 100 };

export const memory: Part = {
  name: 'memory',
  what: 'briefing and search over 20,000 events, against native SQLite on the same texts',
  minutes: 3,
  async run({ folder, quick }) {
    const events = quick ? 5_000 : 20_000;
    const { briefing, search } = await measureMemory(folder, events, quick ? 100 : 200);
    const both = (all: readonly number[]) => [`${short(median(all))} ms`, `${short(quantile(all, 0.95))} ms`];
    const row = (what: string, ours: readonly number[], native: readonly string[], goal: number) => [
      ...[what, ...both(ours), ...native, `p95 at most ${String(goal)} ms`, met(quantile(ours, 0.95), goal)],
    ];
    return [
      `### Project memory with ${thousands(events)} events`,
      `In one program that has the store open. The limit is ${nativeName()} over the same texts, with FTS5 for the search (the best 20 with snippets, and how many there are).`,
      table(
        ['what', 'p50', 'p95', 'native p50', 'native p95', 'goal', 'met'],
        [
          row('briefing', briefing, ['–', '–'], goals.briefing),
          row('search', search.ours, both(search.native), goals.search),
        ],
      ),
    ].join('\n\n');
  },
};

interface MemoryFigures {
  /** Milliseconds per round. */
  readonly briefing: readonly number[];
  readonly search: { readonly ours: readonly number[]; readonly native: readonly number[] };
}

const words =
  'cache token session import export index retry queue worker schema migration login password avatar invoice partner night batch stream socket timeout lock journal snapshot replay budget limit error warning header cookie proxy mirror'.split(
    ' ',
  );
const folders = 100;
const filesEach = 20;

/** Deterministic, but without a pattern that favours an index. */
function pick(number: number, salt: number, of: number): number {
  return ((number * 2_654_435_761 + salt * 40_503) >>> 8) % of;
}

export function pathOf(number: number): string {
  return `src/area-${String(pick(number, 1, folders))}/part-${String(pick(number, 2, filesEach))}.txt`;
}

function eventOf(number: number): RecordInput {
  const said = Array.from({ length: 24 }, (_, index) => words[pick(number, 3 + index, words.length)] ?? '').join(' ');
  const place = pick(number, 70, 10);
  return {
    kind: 'event.posted',
    v: 1,
    id: `E-${String(number)}`,
    type: eventType.options[pick(number, 50, 5)] ?? 'outcome',
    // Few are critical; a third is closed below.
    priority: pick(number, 51, 1_000) === 0 ? 'critical' : (eventPriority.options[1 + pick(number, 52, 3)] ?? 'low'),
    text: `Event ${String(number)}: ${said}.`,
    scopes: place === 0 ? [] : place === 1 ? [path.posix.dirname(pathOf(number))] : [pathOf(number)],
  };
}

/** A store with this many events and nothing else. */
function makeMemorySeed(parent: string, count: number): Promise<Seed> {
  const place = newPlace(parent);
  const { write, close } = openJournalWriter(journalPath(place.folder));
  write(Date.now() - count * 60_000, system, [workspaceCreated()]);
  writeEvents(write, count);
  close();
  return saved(place);
}

/** One a minute, the last one now. */
export function writeEvents(write: ReturnType<typeof openJournalWriter>['write'], count: number): void {
  const began = Date.now() - count * 60_000;
  for (let number = 1; number <= count; number++) {
    write(began + number * 60_000, asker, [eventOf(number)]);
    if (number % 3 === 0)
      write(began + number * 60_000, asker, [
        {
          kind: 'event.closed',
          v: 1,
          id: `E-${String(number - 1)}`,
          how: 'resolved',
          reason: 'Fixed by the next one.',
        },
      ]);
  }
}

async function measureMemory(parent: string, count: number, rounds: number): Promise<MemoryFigures> {
  const seed = await makeMemorySeed(parent, count);
  const workspace = openPlace(seed);
  const file = path.join(seed.home, 'native.sqlite');
  fs.copyFileSync(snapshotFile(seed), file);
  const native = openNative(file);
  native.exec(`CREATE VIRTUAL TABLE native_words USING fts5(text, note, content='items', content_rowid='row');
    INSERT INTO native_words (native_words) VALUES ('rebuild');`);
  const view = (await workspace.store()).read();
  const find = native.prepare(
    `SELECT rowid AS number, snippet(native_words, -1, '**', '**', '…', 24) AS snippet FROM native_words WHERE native_words MATCH ? ORDER BY rank LIMIT 20`,
  );
  const count5 = native.prepare('SELECT count(*) AS count FROM native_words WHERE native_words MATCH ?');
  const briefing: number[] = [];
  const searches = { ours: [] as number[], native: [] as number[] };
  for (let round = -5; round < rounds; round++) {
    const focus = focusOf(round + 5);
    const asked = questionOf(round + 5);
    const took = {
      ours: timed(() => briefingOf(workspace, view, { focus })),
      search: timed(() => searchEvents(view, { words: asked.join(' ') })),
      nativeSearch: timed(() => {
        const match = asked.map((word) => `"${word}"`).join(' ');
        return [find.all(match), count5.get(match)];
      }),
    };
    if (round < 0) continue;
    briefing.push(took.ours);
    searches.ours.push(took.search);
    searches.native.push(took.nativeSearch);
  }
  native.close();
  workspace.close();
  fs.rmSync(path.dirname(seed.folder), { recursive: true, force: true });
  return { briefing, search: searches };
}

/** Mostly files, sometimes a folder, the whole source, the root, or no focus. */
function focusOf(round: number): string | null {
  const kind = round % 20;
  if (kind === 0) return null;
  if (kind === 1) return '.';
  if (kind === 2) return 'src';
  return kind < 8 ? path.posix.dirname(pathOf(round)) : pathOf(round);
}

/** One to three common words, sometimes one that only a single event contains. */
function questionOf(round: number): string[] {
  if (round % 10 === 0) return [String(1 + pick(round, 90, 1_000))];
  return Array.from({ length: 1 + (round % 3) }, (_, index) => words[pick(round, 91 + index, words.length)] ?? 'cache');
}

function timed(act: () => unknown): number {
  const began = sharedNow();
  act();
  return sharedNow() - began;
}
