/**
 * Imports folders of decision records (MADR, Nygard) and RFCs. Accepted ones become history and a decision in project
 * memory, so that briefings include them; drafts become drafts on request.
 */
import path from 'node:path';
import type { ImportedEvent } from '../../core/records/import.ts';
import { withoutComments } from '../../core/kit/markdownComments.ts';
import { plural } from '../../core/kit/text.ts';
import { readRfc, RfcMarkdownError, fenceCode, frontMatterOf } from '../../core/rfc/markdown.ts';
import { shortenText, type Notes, type NoteKind, changedDocument, emptyDocument } from '../../core/rfc/document.ts';
import { rfcDocument, type RfcDocument, type RfcSection, rfcLimits } from '../../core/records/rfc.ts';
import { limits } from '../../core/kit/limits.ts';
import { errorCode } from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import {
  collect,
  historyRow,
  plainValue,
  printableText,
  rowKey,
  shortName,
  instantOf,
  type Collector,
  type Reader,
  type Reading,
  type ReadOptions,
} from './importReading.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface Found {
  /** `/`-separated, relative to the named folder. */
  readonly ref: string;
  readonly text: string;
  readonly document: RfcDocument;
  readonly notes: Notes;
  readonly standing: RfcFileStatus;
  /** As written in the file, or null. */
  readonly status: string | null;
  readonly successor: string | null;
  readonly at: string;
}

const mostFiles = 5_000;
const deepest = 12;

/** @throws AppError `bad_input` for a path that is not a folder, or contains no document */
export function readMarkdown({ workspace }: Reader, { path: folder, source, drafts }: ReadOptions): Reading {
  const into = collect('markdown');
  const files = filesIn(workspace, folder, source);
  if (files.length === 0)
    throw new AppError('bad_input', `${source} has no Markdown files (*.md). Nothing was imported.`);
  const hashes: string[] = [];
  const documents: Found[] = [];
  for (const ref of files) {
    const about = keptBeside(workspace, folder, ref);
    if (about === null && /^(readme|index|.*template.*|_.*)\.(md|markdown)$/i.test(path.posix.basename(ref))) {
      into.skip(`file ${ref}`);
      continue;
    }
    const found = readDocument(into, workspace, { folder, ref, about });
    if (!found) continue;
    hashes.push(ref, sha256(Buffer.from(found.text)));
    documents.push(found);
  }
  const taken = takeAll(into, documents, drafts);
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
      // Does not follow links: they may lead anywhere, or form cycles.
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

/** Metadata of an enhancement proposal, whose README has a separate file with its status. Null without one. */
function keptBeside({ options: { fs } }: Workspace, folder: string, ref: string): string | null {
  if (path.posix.basename(ref) !== 'README.md') return null;
  const file = path.join(folder, path.posix.dirname(ref), 'kep.yaml');
  try {
    if (!(fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false)) return null;
    return fs.readFileSync(file).toString('utf8', 0, 65_536);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

interface Source {
  readonly folder: string;
  readonly ref: string;
  /** Metadata lines from a separate file. */
  readonly about: string | null;
}

/** Reports an unreadable file and continues with the others. */
function readDocument(into: Collector, { options: { fs } }: Workspace, source: Source): Found | null {
  const { ref } = source;
  const file = path.join(source.folder, ref);
  try {
    const { size, mtimeMs } = fs.statSync(file);
    if (size > rfcLimits.documentBytes) throw new RfcMarkdownError(`is larger than 1 MiB (${String(size)} bytes)`);
    const raw = new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(file));
    const found = documentOf(printableText(raw.replace(/^\uFEFF/, '')), source);
    return { ...found, at: found.at ?? new Date(mtimeMs).toISOString() };
  } catch (error) {
    const why = whyNot(error);
    if (why === null) throw error;
    into.leaveOut(ref, why);
    return null;
  }
}

/** @throws RfcMarkdownError for a file that is not a document */
function documentOf(text: string, { ref, about }: Source): Omit<Found, 'at'> & { readonly at: string | null } {
  const { document: read, notes } = readRfc(text);
  const kept: RfcSection[] =
    about === null ? [] : [{ key: 'other', heading: 'kep.yaml', text: fenceCode(about.trim(), 'yaml') }];
  const parsed = { ...read, sections: [...kept, ...(read.sections ?? [])] };
  const [file = '', inFolder = ''] = ref.split('/').reverse();
  const title = withoutNumber(printableText(parsed.title ?? (about === null ? file.replace(/\.\w+$/, '') : inFolder)));
  const document = rfcDocument.safeParse(changedDocument(emptyDocument(title), { ...parsed, title }));
  if (!document.success) {
    const [issue] = document.error.issues;
    throw new RfcMarkdownError(`cannot be an RFC here: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  }
  const beside = about === null ? '' : `---\n${about}\n---\n`;
  const status = statusOf(text) ?? statusOf(beside);
  const known = document.data.sections.some(({ key }) =>
    ['motivation', 'detailed_design', 'alternatives'].includes(key),
  );
  if (status === null && !known)
    throw new RfcMarkdownError('is neither a decision record nor an RFC: it has no status, and no section of either');
  return {
    ref,
    text,
    document: document.data,
    notes,
    status,
    at: dateOf(text) ?? dateOf(beside),
    ...standingOf(status),
  };
}

function whyNot(error: unknown): string | null {
  if (error instanceof RfcMarkdownError) return error.message;
  if (error instanceof RangeError) return 'nests too deeply';
  const code = errorCode(error);
  if (code !== undefined && code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') return `cannot be read (${code})`;
  return error instanceof TypeError ? 'is not UTF-8 text' : null;
}

/** @returns the number of decisions in project memory */
function takeAll(into: Collector, documents: readonly Found[], drafts: boolean): number {
  const decided = documents.filter(({ standing }) => standing !== 'draft' && standing !== 'rejected');
  // In the order of decisions, because a greater number means a newer one.
  const order = [...decided].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.ref < b.ref ? -1 : 1));
  const places = new Map(order.map(({ ref }, index) => [ref, index + 1]));
  for (const found of documents) takeDocument(into, found, drafts);
  for (const found of order) into.rows.push(decisionOf(into, found, successorOf(found, order, places)));
  return order.length;
}

function takeDocument(into: Collector, found: Found, drafts: boolean): void {
  const { ref, at, document, standing, status, notes } = found;
  const key = rowKey('markdown', 'document', ref, sha256(Buffer.from(found.text)));
  const isDraft = standing === 'draft';
  if (isDraft && !drafts) {
    const why = status === null ? 'has no status' : `is "${status.split('\n')[0]?.slice(0, 40) ?? ''}"`;
    into.leaveOut(ref, `${why}: drafts are imported with --drafts`);
    return;
  }
  // The text contains everything.
  const changes = [...notes].map(([kind, count]) => plural(count, ...changed[kind]));
  if (changes.length > 0) into.change(ref, `has ${changes.join(', ')}`);
  if (isDraft) {
    const proposed = plainValue({ document });
    into.rows.push({ row: 'rfc', key, ref, at, by: 'markdown-001', proposed, added: [], submit: false });
    return;
  }
  const title = document.title;
  const data = { path: ref, status, document };
  const told = standing === 'accepted' ? 'approved' : standing;
  into.rows.push(historyRow(key, { ref, at, of: 'rfc', title, status: told, agent: null, work: null, data }));
}

/** The index of its successor: by a link to the file, or by the number at the start of its name. */
function successorOf(found: Found, order: readonly Found[], places: ReadonlyMap<string, number>): number | null {
  const named = found.successor;
  if (found.standing !== 'superseded' || named === null) return null;
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(found.ref), decodeLink(named)));
  const number = Number(/^\d+$/.exec(named)?.[0] ?? NaN);
  const successor = order.find(
    ({ ref }) =>
      ref === target || Number(/^(?:adr|rfc)?[-_]?(\d+)/i.exec(path.posix.basename(ref))?.[1] ?? NaN) === number,
  );
  if (!successor || successor === found || successor.standing === 'superseded') return null;
  return places.get(successor.ref) ?? null;
}

function decodeLink(link: string): string {
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
    return { how: 'resolved', reason: `${ref} says: ${shortenText(status ?? standing, 500)}`, at, by };
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

/** The full decision or, if too long, where to read it. */
function textOf(into: Collector, { ref, document }: Found): string {
  const decision =
    document.sections.find(({ heading }) => /^decision(?: outcome)?$/i.test(heading)) ??
    document.sections.find(({ key }) => key === 'detailed_design') ??
    document.sections.find(({ key }) => key === 'summary');
  const whole = `${document.title}\n\n${withoutComments(decision?.text ?? '').trim()}`.trim();
  const pointer = `(${ref})`;
  const text = `${whole}\n\n${pointer}`;
  if (text.length <= limits.otherText) return text;
  into.change(ref, 'is too long for a note: the note mentions the file instead');
  return `${document.title}\n\nToo long for a note: see ${ref}.`;
}

// Describes how an imported document differs from its file.

const changed: Readonly<Record<NoteKind, readonly [one: string, many: string]>> = {
  title_shortened: ['shortened title', 'shortened titles'],
  heading_shortened: ['shortened heading', 'shortened headings'],
  alternative_as_text: ['alternative only in its text', 'alternatives only in its text'],
  question_shortened: ['shortened question', 'shortened questions'],
  question_as_text: ['question only in its text', 'questions only in its text'],
  answer_as_text: ['shortened answer', 'shortened answers'],
  section_joined: ['section joined with the one before', 'sections joined with those before'],
};

// Parses the metadata of a decision record or RFC: its title, status and date.

type RfcFileStatus = 'accepted' | 'superseded' | 'deprecated' | 'rejected' | 'draft';

/** `ADR-12: Title` and `12. Title` become `Title`. */
function withoutNumber(title: string): string {
  const bare = title.replace(/^(?:(?:ADR|RFC|KEP|PEP|SE)[-\s]*\d+\s*[:.–—-]|\d{1,5}\.)\s+/i, '').trim();
  return shortenText(bare === '' ? title : bare, limits.title);
}

/** The status from front matter, a line `Status: …` before the first section, or a section of that name. */
function statusOf(raw: string): string | null {
  const text = withoutComments(raw);
  const front = /^(?:status|stage):[ \t]*(.+)$/im.exec(frontMatterOf(text)?.written ?? '')?.[1];
  const head = text.split(/^##\s/m, 1)[0] ?? '';
  const line = /^[\s>*+-]*\**status\**\s*:\**\s*(.+)$/im.exec(head)?.[1];
  const section = /^#{1,3}[ \t]*status[ \t]*#*\n+((?:(?!#).*\n?)*)/im.exec(text)?.[1];
  const found = (front ?? line ?? section ?? '')
    .trim()
    .replace(/^["'*_`]+|["'*_`]+$/g, '')
    .trim();
  return found === '' ? null : found;
}

function standingOf(status: string | null): { standing: RfcFileStatus; successor: string | null } {
  const word = (status ?? '').toLowerCase();
  const link =
    /\]\(([^)#\s]+)/.exec(status ?? '')?.[1] ?? /(?:adr|rfc)?[-\s#]*(\d{1,5})/i.exec(status ?? '')?.[1] ?? null;
  if (/^(superseded|replaced)\b|\bsuperseded by\b/.test(word)) return { standing: 'superseded', successor: link };
  if (
    /^(accepted|approved|implemented|final|active|adopted|decided|done|merged|implementable|recommended|released|ready-for-release)\b/.test(
      word,
    )
  )
    return { standing: 'accepted', successor: null };
  if (/^(deprecated|retired|obsolete|discontinued)\b/.test(word)) return { standing: 'deprecated', successor: null };
  if (/^(rejected|declined|withdrawn|abandoned)\b/.test(word)) return { standing: 'rejected', successor: null };
  return { standing: 'draft', successor: null };
}

function dateOf(text: string): string | null {
  const head = text.split('\n').slice(0, 40).join('\n');
  return instantOf(/^[\s>*+-]*\**(?:start[- ]|creation-)?date\**\s*:\**\s*["']?(\d{4}-\d\d-\d\d)/im.exec(head)?.[1]);
}
