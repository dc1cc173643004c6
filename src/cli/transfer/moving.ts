/** `holdpoint import|export|history`: moves knowledge between workspaces and programs. None of it decides anything. */
import { firstLine } from '../../core/kit/text.ts';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { importedItem, listImported, originText, type ImportedItem } from '../../app/transfer/imported.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { historyKinds, importSources } from '../../core/kit/limits.ts';
import { shellSession } from '../kit/session.ts';
import { table } from '../kit/table.ts';
import type { Shown } from '../kit/outputs.ts';
import type { Lines, Verbs } from '../kit/verbs.ts';
import { preparedImport, runImport } from '../../app/transfer/importing.ts';
import { importData, importReport } from '../../app/transfer/importReport.ts';
import { exportedPieces, textPieces } from '../../app/transfer/exportFormats.ts';
import { writeExport } from '../../app/transfer/exportWriting.ts';

interface ImportOptions {
  from: string;
  dryRun?: boolean;
  drafts?: boolean;
}

interface ExportOptions {
  format: string;
  out?: string;
}

export function movingVerbs(program: Command, verbs: Verbs): void {
  const { io, read, globals, exit } = verbs;
  program
    .command('import <path>')
    .description('import from another program or workspace, all or nothing')
    .requiredOption('--from <source>', importSources.join(', '))
    .option('--dry-run', 'show what would be imported and what it would hold, without writing it')
    .option('--drafts', 'from Markdown: import drafts as drafts')
    .action((file: string, options: ImportOptions, command: Command) =>
      read(command, async (workspace) => {
        const from = choice('--from', importSources, options.from);
        const plan = await preparedImport(workspace, from, {
          path: path.resolve(io.cwd, file),
          source: file,
          drafts: options.drafts ?? false,
        });
        if (options.dryRun) return { text: importReport(plan, null), schema: 'import', data: importData(plan, null) };
        const { actor } = shellSession(io, workspace);
        const done = await runImport(workspace, actor, plan, {
          signal: io.signal,
          onProgress(now, total) {
            if (!globals(command).json && now > 0) io.err(`${String(now)} of ${String(total)} rows`);
          },
        });
        if (done.outcome === 'cancelled') exit(1);
        return { text: importReport(plan, done), schema: 'import', data: importData(plan, done) };
      }),
    );
  program
    .command('export')
    .description('export everything in this workspace')
    .requiredOption('--format <format>', `${formats.join(', ')}; json is what import reads`)
    .option('--out <file>', 'a new file; by default json and markdown are printed')
    .action((options: ExportOptions, command: Command) =>
      read(command, (workspace) => exportTo(workspace, options, io.cwd, globals(command).json ?? false)),
    );
  program
    .command('history [id]')
    .description('imported history: one item in full (H-3, or the id it got here), or all, newest first')
    .option('--kind <kind>', historyKinds.join(', '))
    .action((id: string | undefined, options: { kind?: string }, command: Command) =>
      read(command, (workspace) => history(workspace, id, options.kind)),
    );
}

const formats = ['json', 'markdown', 'sqlite'] as const;

function choice<T extends string>(option: string, known: readonly T[], given: string): T {
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw new AppError('bad_input', `${option}: "${firstLine(given)}" must be one of ${known.join(', ')}`);
}

async function exportTo(
  workspace: Workspace,
  options: ExportOptions,
  cwd: string,
  json: boolean,
): Promise<Shown | Lines> {
  const format = choice('--format', formats, options.format);
  if (options.out === undefined) {
    if (format === 'sqlite') throw new AppError('bad_input', '--out: name the file for the database');
    if (json && format !== 'json')
      throw new AppError('bad_input', '--json: name a file with --out, or use --format json');
    return { lines: wholeLines(textPieces((await workspace.store()).read(), format)) };
  }
  const file = path.resolve(cwd, options.out);
  const pieces = await exportedPieces(workspace, format);
  try {
    if (fs.existsSync(file)) throw Object.assign(new Error('the file exists'), { code: 'EEXIST' });
    const temporary = `${file}.${randomUUID()}.tmp`;
    const bytes = writeExport({ fs, file, temporary, put: putInPlace }, pieces);
    return {
      text: `Written: ${options.out} (${String(bytes)} bytes)`,
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

async function history(workspace: Workspace, id: string | undefined, kind: string | undefined): Promise<Shown> {
  const view = (await workspace.store()).read();
  if (id !== undefined) {
    const item = importedItem(view, id);
    if (!item) throw new AppError('not_found', `no imported item is called ${id}; "holdpoint history" lists them`);
    return { text: fullText(item, originText(item)), schema: 'history', data: { item } };
  }
  const only = kind === undefined ? {} : { kind: choice('--kind', historyKinds, kind) };
  const items = listImported(view, only);
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
