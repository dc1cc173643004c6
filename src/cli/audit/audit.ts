/**
 * `holdpoint audit`: who decided what, and whether each signature holds, over the whole chain. Exit 2 on any fault.
 * With `--export FILE` it writes the whole audit to one file; `--verify FILE --key PUB` checks such a file without the store.
 */
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import {
  isUnsignedHuman,
  auditBytes,
  faultsOf,
  filterEntries,
  type Audit,
  type AuditEntry,
  type AuditFilter,
  type AuditSummary,
  bundleOf,
  checkBundle,
  formatBundle,
} from '../../app/audit/audit.ts';
import { journalBytes } from '../../app/audit/savedState.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/text.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { ignoredRows } from '../../app/workspace/sharedFile.ts';
import { readKeys } from '../keys/keys.ts';
import type { Io } from '../kit/io.ts';
import { ignoredRowText, table, type VerbOutputs } from '../kit/outputs.ts';
import { verb, type Call } from '../kit/verb.ts';

const input = z.strictObject({
  verify: z
    .union([z.literal(true), z.string()])
    .optional()
    .describe('check whether everything verifies; with a file: check an exported audit, without the journal'),
  key: z
    .array(z.string())
    .default([])
    .describe('with --verify FILE: a public key, or a file of keys, to check it against'),
  export: z.string().optional().describe('write the whole audit to one file that can be checked elsewhere'),
  hold: z.string().optional().describe('only records on this question or RFC'),
  work: z.string().optional().describe('only records on this work item'),
  since: z.string().optional().describe('only records at or after this date or time (2026-03-01)'),
  who: z.string().optional().describe('only records of people or agents with this name'),
  all: z
    .boolean()
    .optional()
    .describe('all records, including those of agents and timers, not only decisions and attempts'),
});
type Options = z.output<typeof input>;

interface Found {
  readonly audit: Audit;
  readonly summary: AuditSummary;
  /** More lines for people; `data` has the same for programs. */
  readonly lines: readonly string[];
  readonly data: Pick<VerbOutputs['audit'], 'exported' | 'exported_at' | 'seal' | 'ignored_ring_rows'>;
}

export const auditVerb = verb({
  words: 'audit',
  help: ['Data', 'who decided what, verified from the first record'],
  about: 'show who decided what, verified from the first record to the last. Exit 2: something does not verify',
  input,
  hints: {
    ...{ verify: '--verify [file]', key: '--key <key>', export: '--export <file>', hold: '--hold <id>' },
    ...{ work: '--work <id>', who: '--who <name>' },
  },
  failed: (error) => (error instanceof AppError && error.code === 'bad_input' ? 1 : 2),
  run(call, options) {
    const { io, flags } = call;
    const wanted = definedFilters(options);
    const { verify } = options;
    const { audit, summary, lines, data } =
      typeof verify === 'string' ? fromFile(call, options, verify) : fromStore(call, options);
    const rows = verify === undefined ? filterEntries(audit.entries, wanted) : [];
    const text = [...summaryLines(summary), ...lines].join('\n');
    const code = summary.faults.length > 0 ? 2 : 0;
    const entries = verify === undefined ? { entries: rows } : {};
    if (flags.json) return { text, schema: 'audit', data: { ...summary, ...data, ...entries }, code };
    const cellsOf = rows.map((row) => cells(row, summary));
    if (rows.length > 0) io.out(table(heads, cellsOf));
    io.out(text);
    for (const fault of summary.faults) io.err(fault);
    return code;
  },
});

function fromStore({ io, workspace }: Call, options: Options): Found {
  if (options.key.length > 0) throw new AppError('bad_input', '--key: can only be used with --verify FILE');
  const bytes = journalBytes(workspace);
  const audit = auditBytes(bytes, workspace.pins(), progress(io, bytes.length));
  const summary = audit.summary(faultsOf(workspace, audit.walk));
  const ignored = ignoredRows(workspace.options.fs, workspace.stateFile.path);
  const about = {
    lines: ignored.map(ignoredRowText),
    data: ignored.length > 0 ? { ignored_ring_rows: ignored } : {},
  };
  if (options.export === undefined) return { audit, summary, ...about };
  const content = bundleOf(audit, bytes, { exportedAt: workspace.now(), pins: workspace.pins() });
  const file = path.resolve(io.cwd, options.export);
  fs.writeFileSync(file, formatBundle({ ...content, seal: null }, bytes), { flag: 'wx', mode: 0o600 });
  const lines = [`Exported to ${file}. Not sealed: only the editor can sign the end of the journal.`];
  return { audit, summary, lines: [...about.lines, ...lines], data: { ...about.data, exported: file } };
}

function fromFile({ io }: Call, options: Options, name: string): Found {
  if (options.export !== undefined) throw new AppError('bad_input', '--export: cannot be combined with --verify FILE');
  if (options.key.length === 0)
    throw new AppError('bad_input', '--key: is required with --verify FILE. Keys in the file itself prove nothing');
  const keys: PinnedKey[] = options.key.flatMap((key) => readKeys(io.cwd, key, '--key'));
  const file = fs.readFileSync(path.resolve(io.cwd, name));
  const { audit, header, seal, summary } = checkBundle(file, keys, progress(io, file.length));
  const sealed = seal
    ? `Sealed by ${seal.by} at ${seal.at}: complete up to then.`
    : 'Not sealed: complete up to its last decision; what agents did after that may have been cut off.';
  return {
    audit,
    summary,
    lines: [`Exported at ${header.exportedAt}. ${sealed}`],
    data: { exported_at: header.exportedAt, seal },
  };
}

/** Prints progress of large journals to stderr, every 25 %. */
function progress({ err }: Io, size: number): (done: number) => void {
  let reported = 0;
  return (done) => {
    const quarter = Math.floor((done / size) * 4);
    if (size < 1_000_000 || quarter <= reported) return;
    reported = quarter;
    err(`holdpoint: checked ${String(quarter * 25)} % of ${String(Math.ceil(size / 1_000))} kB`);
  };
}

/** A filter by hold or work item includes all acts on it. */
function definedFilters({ hold, work, since, who, all }: Options): AuditFilter {
  return {
    hold,
    work,
    since: instantOf(since),
    who,
    all: all === true || hold !== undefined || work !== undefined,
  };
}

/** The time of `--since`: ISO 8601, UTC. @throws AppError `bad_input` */
function instantOf(since: string | undefined): string | undefined {
  if (since === undefined) return undefined;
  const at = /^\d{4}-\d\d-\d\d(?:T.*)?$/.test(since) ? new Date(since) : new Date(NaN);
  if (Number.isNaN(at.getTime()))
    throw new AppError(
      'bad_input',
      `--since: "${since}" must be a date such as 2026-03-01 or a time such as 2026-03-01T12:00Z`,
    );
  return at.toISOString();
}

const heads = ['TIME', 'MARK', 'WHO', 'WHAT', 'ABOUT', 'SAID'];

function cells(entry: AuditEntry, summary: AuditSummary): string[] {
  const { time, mark, who, kind, subject, said, why } = entry;
  const notes = [
    ...(entry.key_of === null ? [] : [`key of ${entry.key_of}`]),
    ...(entry.signed_with === 'passkey' ? ['passkey, verified by PIN or fingerprint'] : []),
    ...(isUnsignedHuman(entry, summary) ? ['not signed'] : []),
  ];
  return [time, mark, notes.length === 0 ? who : `${who} (${notes.join('; ')})`, kind, subject, why ?? said ?? ''];
}

function summaryLines(summary: AuditSummary): string[] {
  const { workspace, acts, decisions, forged, set_aside: aside, signers, head, position, faults } = summary;
  if (workspace === null) return faults.length === 0 ? ['Nothing has been recorded here yet.'] : [];
  return [
    `${plural(acts, 'act')}, ${plural(decisions, 'decision')} verified, ${String(forged)} not verified.`,
    ...signers.map(({ name, keyid, decisions: n }) => `${name} (${keyid.slice(0, 16)}): ${plural(n, 'decision')}`),
    ...aside.map(({ from, to }) => `A human set the records from ${String(from)} to ${String(to)} aside.`),
    `The chain ends at position ${String(position)} with ${head}.`,
    faults.length === 0 ? 'Everything verifies.' : `${plural(faults.length, 'fault')}.`,
  ];
}
