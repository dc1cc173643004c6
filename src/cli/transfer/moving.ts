/** `holdpoint import|export|history`: moves knowledge between workspaces and programs. None of it decides anything. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import {
  exportedPieces,
  importedItem,
  type ImportedItem,
  listImported,
  originText,
  textPieces,
  writeExport,
} from '../../app/transfer/exporting.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { historyKinds, importSources } from '../../core/kit/limits.ts';
import { shellSession } from '../kit/io.ts';
import { table } from '../kit/outputs.ts';
import { verb, type Printed, type Verb } from '../kit/verb.ts';
import { importData, importReport, preparedImport, runImport } from '../../app/transfer/importing.ts';

const importVerb = verb({
  words: 'import <path>',
  help: ['Data', 'take in another program or workspace'],
  about: 'import from another program or workspace, all or nothing',
  input: z.strictObject({
    path: z.string(),
    from: z.enum(importSources),
    dry_run: z.boolean().optional().describe('show what would be imported and what it would hold, without writing it'),
    drafts: z.boolean().default(false).describe('from Markdown: import drafts as drafts'),
  }),
  hints: { from: '--from <source>' },
  async run(call, { path: file, from, dry_run: dryRun, drafts }) {
    const { io, flags } = call;
    const workspace = call.known();
    const plan = await preparedImport(workspace, from, { path: path.resolve(io.cwd, file), source: file, drafts });
    if (dryRun) return { text: importReport(plan, null), schema: 'import', data: importData(plan, null) };
    const { actor } = shellSession(io, workspace);
    const done = await runImport(workspace, actor, plan, {
      signal: io.signal,
      onProgress(now, total) {
        if (!flags.json && now > 0) io.err(`${String(now)} of ${String(total)} rows`);
      },
    });
    const code = done.outcome === 'cancelled' ? 1 : 0;
    return { text: importReport(plan, done), schema: 'import', data: importData(plan, done), code };
  },
});

const exportInput = z.strictObject({
  format: z.enum(['json', 'markdown', 'sqlite']).describe('json, markdown or sqlite; json is what import reads'),
  out: z.string().optional().describe('a new file; by default json and markdown are printed'),
});

const exportVerb = verb({
  words: 'export',
  help: ['Data', 'export everything in this workspace'],
  about: 'export everything in this workspace',
  input: exportInput,
  hints: { out: '--out <file>' },
  run: (call, input) => exportTo(call.known(), input, call.io.cwd, call.flags.json ?? false),
});

const historyVerb = verb({
  words: 'history [id]',
  help: ['Data', 'what was imported'],
  about: 'imported history: one item in full (H-3, or the id it got here), or all, newest first',
  input: z.strictObject({ id: z.string().optional(), kind: z.enum(historyKinds).optional() }),
  run: (call, { id, kind }) => history(call.known(), id, kind),
});

export const movingVerbs: readonly Verb[] = [importVerb, exportVerb, historyVerb];

async function exportTo(
  workspace: Workspace,
  { format, out }: z.output<typeof exportInput>,
  cwd: string,
  json: boolean,
): Promise<Printed> {
  if (out === undefined) {
    if (format === 'sqlite') throw new AppError('bad_input', '--out: name the file for the database');
    if (json && format !== 'json')
      throw new AppError('bad_input', '--json: name a file with --out, or use --format json');
    return { lines: wholeLines(textPieces((await workspace.store()).read(), format)) };
  }
  const file = path.resolve(cwd, out);
  const pieces = await exportedPieces(workspace, format);
  try {
    if (fs.existsSync(file)) throw Object.assign(new Error('the file exists'), { code: 'EEXIST' });
    const temporary = `${file}.${randomUUID()}.tmp`;
    const bytes = writeExport({ fs, file, temporary, put: putInPlace }, pieces);
    return {
      text: `Written: ${out} (${String(bytes)} bytes)`,
      schema: 'export',
      data: { file, format, bytes },
    };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
    if (code === null) throw cause;
    const why = code === 'EEXIST' ? 'exists: name a new file' : `cannot be written (${code})`;
    throw new AppError('bad_input', `--out: ${file} ${why}`, { cause });
  }
}

/** Whole lines: a piece that ends within a line is joined with the next. */
function* wholeLines(pieces: Iterable<string>): Generator<string> {
  let rest = '';
  for (const piece of pieces) {
    const text = rest + piece;
    const end = text.lastIndexOf('\n');
    if (end >= 0) yield text.slice(0, end);
    rest = text.slice(end + 1);
  }
  if (rest !== '') yield rest;
}

/** Unlike a rename, a link never replaces a file that appeared in the meantime; some file systems have no links. */
function putInPlace(temporary: string, file: string): void {
  try {
    fs.linkSync(temporary, file);
  } catch (error) {
    if (fs.existsSync(file)) throw error;
    fs.renameSync(temporary, file);
  }
}

async function history(
  workspace: Workspace,
  id: string | undefined,
  kind: (typeof historyKinds)[number] | undefined,
): Promise<Printed> {
  const view = (await workspace.store()).read();
  if (id !== undefined) {
    const item = importedItem(view, id);
    if (!item) throw new AppError('not_found', `no imported item is called ${id}; "holdpoint history" lists them`);
    return { text: fullText(item, originText(item)), schema: 'history', data: { item } };
  }
  const items = listImported(view, kind);
  const rows = items.map((item) => [
    item.id,
    item.became ?? 'history',
    item.kind,
    item.status,
    item.happened_at.slice(0, 10),
    `${item.source}: ${item.ref}`,
    item.title,
  ]);
  const text =
    items.length === 0
      ? 'Nothing was imported.'
      : table(['id', 'here', 'kind', 'status', 'when', 'from', 'title'], rows);
  return { text, schema: 'history', data: { items, total: items.length } };
}

function fullText(item: ImportedItem, origin: string): string {
  const here = item.became === null ? 'History only: it holds and releases nothing.' : `Here it is ${item.became}.`;
  const data = item.data === null ? [] : ['', JSON.stringify(item.data, null, 2)];
  return [`${item.id} ${item.kind}, ${item.status}: ${item.title}`, `${origin}.`, here, ...data].join('\n');
}
