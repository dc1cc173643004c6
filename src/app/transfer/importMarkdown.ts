/**
 * Folders of decision records (MADR, Nygard) and RFCs. What was accepted is history, and a decision of project memory,
 * so that briefings have it; drafts come in as drafts when they are asked for.
 */
import path from 'node:path';
import type { ImportedEvent } from '../../core/records/import.ts';
import { parseRfc, RfcMarkdownError } from '../../core/rfc/markdown.ts';
import { changedDocument, emptyDocument } from '../../core/rfc/document.ts';
import type { RfcDocument } from '../../core/records/rfc.ts';
import { rfcLimits } from '../../core/records/rfcWords.ts';
import { limits } from '../../core/kit/words.ts';
import { errorCode } from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import { collect, historyRow, instantOf, plainValue, printable, rowKey, shortName } from './importReading.ts';
import type { Collector, Reader, Reading, ReadOptions } from './importReading.ts';
import type { Workspace } from '../workspace/workspace.ts';

type Standing = 'accepted' | 'superseded' | 'deprecated' | 'rejected' | 'draft';

interface Found {
  /** `/`-separated, from the folder that was named. */
  readonly ref: string;
  readonly text: string;
  readonly document: RfcDocument;
  readonly standing: Standing;
  /** As it is written there; null where nothing is. */
  readonly status: string | null;
  readonly successor: string | null;
  readonly at: string;
}

const mostFiles = 5_000;
const deepest = 12;

/** @throws AppError `bad_input` for what is no folder, or has no document in it */
export function readMarkdown({ workspace }: Reader, { path: folder, source, asHistory, drafts }: ReadOptions): Reading {
  const into = collect('markdown');
  const files = filesIn(workspace, folder, source);
  if (files.length === 0)
    throw new AppError('bad_input', `${source} has no Markdown files (*.md). Nothing was imported.`);
  const hashes: string[] = [];
  const documents: Found[] = [];
  for (const ref of files) {
    if (/^(readme|index|.*template.*|_.*)\.(md|markdown)$/i.test(path.posix.basename(ref))) {
      into.skip(`file ${ref}`);
      continue;
    }
    const found = readDocument(into, workspace, folder, ref);
    if (!found) continue;
    hashes.push(ref, sha256(Buffer.from(found.text)));
    documents.push(found);
  }
  const taken = takeAll(into, documents, asHistory, drafts);
  return into.done({
    source: path.basename(folder),
    digest: sha256(Buffer.from(JSON.stringify(hashes))),
    format: 'Markdown: decision records (MADR, Nygard) and RFCs',
    found: { files: files.length, documents: documents.length, decisions: taken },
  });
}

function filesIn(workspace: Workspace, folder: string, source: string): string[] {
  const { fs } = workspace.options;
  const found: string[] = [];
  const walk = (at: string, depth: number): void => {
    for (const entry of fs.readdirSync(path.join(folder, at), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const name = at === '' ? entry.name : `${at}/${entry.name}`;
      // Links are not followed: they may lead anywhere, and round.
      if (entry.isDirectory() && depth < deepest) walk(name, depth + 1);
      else if (entry.isFile() && /\.(md|markdown)$/i.test(entry.name)) found.push(name);
      if (found.length > mostFiles)
        throw new AppError(
          'bad_input',
          `${source} has more than ${mostFiles.toLocaleString('en')} Markdown files: name a folder further down. Nothing was imported.`,
        );
    }
  };
  try {
    if (!fs.statSync(folder).isDirectory())
      throw new AppError('bad_input', `${source} is a file: name the folder that it is in. Nothing was imported.`);
    walk('', 0);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || error instanceof AppError) throw error;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
    throw new AppError('bad_input', `${source} ${why}. Nothing was imported.`, { cause: error });
  }
  return found.sort();
}

function readDocument(into: Collector, workspace: Workspace, folder: string, ref: string): Found | null {
  const { fs } = workspace.options;
  const file = path.join(folder, ref);
  const { size, mtimeMs } = fs.statSync(file);
  if (size > rfcLimits.documentBytes) {
    into.leaveOut(ref, `is larger than 1 MiB (${String(size)} bytes)`);
    return null;
  }
  try {
    const raw = new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(file));
    const text = printable(raw.replace(/^\uFEFF/, ''));
    const parsed = parseRfc(text);
    const title = printable(parsed.title ?? path.posix.basename(ref).replace(/\.\w+$/, ''));
    const document = changedDocument(emptyDocument(withoutNumber(title)), { ...parsed, title: withoutNumber(title) });
    const status = statusOf(text);
    const known = document.sections.some(({ key }) => ['motivation', 'detailed_design', 'alternatives'].includes(key));
    if (status === null && !known) {
      into.leaveOut(ref, 'is neither a decision record nor an RFC: it has no status, and no section of either');
      return null;
    }
    const at = dateOf(text) ?? new Date(mtimeMs).toISOString();
    return { ref, text, document, status, at, ...standingOf(status) };
  } catch (error) {
    const why =
      error instanceof RfcMarkdownError
        ? error.message
        : error instanceof RangeError
          ? 'nests too deeply'
          : error instanceof TypeError
            ? 'is not UTF-8 text'
            : null;
    if (why === null) throw error;
    into.leaveOut(ref, why);
    return null;
  }
}

/** `ADR-12: Title`, `12. Title`. */
function withoutNumber(title: string): string {
  const bare = title.replace(/^(?:(?:ADR|RFC)[-\s]*\d+\s*[:.–—-]|\d{1,5}\.)\s+/i, '').trim();
  return (bare === '' ? title : bare).slice(0, limits.title).trim();
}

/** Front matter, a line `Status: …` before the first section, or a section of that name. */
function statusOf(text: string): string | null {
  const front = /^---\n(?:.*\n)*?status:[ \t]*(.+)\n(?:.*\n)*?---/i.exec(text)?.[1];
  const head = text.split(/^##\s/m, 1)[0] ?? '';
  const line = /^[\s>*+-]*\**status\**\s*:\**\s*(.+)$/im.exec(head)?.[1];
  const section = /^#{1,3}[ \t]*status[ \t]*#*\n+((?:(?!#).*\n?)*)/im.exec(text)?.[1];
  const found = (front ?? line ?? section ?? '')
    .trim()
    .replace(/^["'*_`]+|["'*_`]+$/g, '')
    .trim();
  return found === '' ? null : found;
}

function standingOf(status: string | null): { standing: Standing; successor: string | null } {
  const word = (status ?? '').toLowerCase();
  const link =
    /\]\(([^)#\s]+)/.exec(status ?? '')?.[1] ?? /(?:adr|rfc)?[-\s#]*(\d{1,5})/i.exec(status ?? '')?.[1] ?? null;
  if (/^(superseded|replaced)\b|\bsuperseded by\b/.test(word)) return { standing: 'superseded', successor: link };
  if (/^(accepted|approved|implemented|final|active|adopted|decided|done|merged)\b/.test(word))
    return { standing: 'accepted', successor: null };
  if (/^(deprecated|retired|obsolete)\b/.test(word)) return { standing: 'deprecated', successor: null };
  if (/^(rejected|declined|withdrawn|abandoned)\b/.test(word)) return { standing: 'rejected', successor: null };
  return { standing: 'draft', successor: null };
}

function dateOf(text: string): string | null {
  const head = text.split('\n').slice(0, 40).join('\n');
  return instantOf(/^[\s>*+-]*\**date\**\s*:\**\s*["']?(\d{4}-\d\d-\d\d)/im.exec(head)?.[1]);
}

/** @returns how many decisions of memory there are */
function takeAll(into: Collector, documents: readonly Found[], asHistory: boolean, drafts: boolean): number {
  const decided = asHistory ? [] : documents.filter(({ standing }) => standing !== 'draft' && standing !== 'rejected');
  // In the order they were taken: the greater number is the newer decision.
  const order = [...decided].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.ref < b.ref ? -1 : 1));
  const places = new Map(order.map(({ ref }, index) => [ref, index + 1]));
  for (const found of documents) takeDocument(into, found, asHistory, drafts);
  for (const found of order) into.rows.push(decisionOf(into, found, successorOf(found, order, places)));
  return order.length;
}

function takeDocument(into: Collector, found: Found, asHistory: boolean, drafts: boolean): void {
  const { ref, at, document, standing, status } = found;
  const key = rowKey('markdown', 'document', ref, sha256(Buffer.from(found.text)));
  if (standing === 'draft' && !asHistory) {
    if (!drafts) {
      into.leaveOut(
        ref,
        `${status === null ? 'has no status' : `is "${status.split('\n')[0]?.slice(0, 40) ?? ''}"`}: drafts come along with --drafts`,
      );
      return;
    }
    into.rows.push({
      row: 'rfc',
      key,
      ref,
      at,
      by: 'markdown-001',
      proposed: plainValue({ document }),
      added: [],
      submit: false,
    });
    return;
  }
  into.rows.push(
    historyRow(key, {
      ref,
      at,
      of: 'rfc',
      title: document.title,
      status: standing === 'accepted' ? 'approved' : standing,
      agent: null,
      work: null,
      data: { path: ref, status, document },
    }),
  );
}

/** The place of the one that took its place: by a link to its file, or by the number its name begins with. */
function successorOf(found: Found, order: readonly Found[], places: ReadonlyMap<string, number>): number | null {
  const named = found.successor;
  if (found.standing !== 'superseded' || named === null) return null;
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(found.ref), decoded(named)));
  const number = Number(/^\d+$/.exec(named)?.[0] ?? NaN);
  const successor = order.find(
    ({ ref }) =>
      ref === target || Number(/^(?:adr|rfc)?[-_]?(\d+)/i.exec(path.posix.basename(ref))?.[1] ?? NaN) === number,
  );
  if (!successor || successor === found || successor.standing === 'superseded') return null;
  return places.get(successor.ref) ?? null;
}

function decoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

function decisionOf(into: Collector, found: Found, successor: number | null): ImportedEvent {
  const { ref, at, document, standing, status } = found;
  const by = shortName('markdown');
  const closed = (): ImportedEvent['closed'] => {
    if (standing === 'accepted') return null;
    if (successor !== null) return { how: 'superseded', successor, at, by };
    return { how: 'resolved', reason: `${ref} says: ${(status ?? standing).slice(0, 500)}`, at, by };
  };
  return {
    row: 'event',
    key: rowKey('markdown', 'decision', ref, document.title),
    ref,
    at,
    type: 'decision',
    text: textOf(into, found),
    priority: 'normal',
    scopes: [],
    related: [],
    author: by,
    closed: closed(),
  };
}

/** What was decided, in full; where that is too long, where to read it. */
function textOf(into: Collector, { ref, document }: Found): string {
  const decision =
    document.sections.find(({ heading }) => /^decision(?: outcome)?$/i.test(heading)) ??
    document.sections.find(({ key }) => key === 'detailed_design') ??
    document.sections.find(({ key }) => key === 'summary');
  const whole = `${document.title}\n\n${decision?.text ?? ''}`.trim();
  const pointer = `(${ref})`;
  const text = `${whole}\n\n${pointer}`;
  if (text.length <= limits.otherText) return text;
  into.change(ref, 'is too long for project memory: the decision there names the file instead');
  return `${document.title}\n\nToo long to stand here: read ${ref}.`;
}
