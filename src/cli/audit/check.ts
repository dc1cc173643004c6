/**
 * `holdpoint check`: what a change needs of humans and has, on a store or on attestations, for CI and for a developer.
 * Exit 2 unless all is clear.
 */
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { confirmWith } from '../../app/workspace/freshness.ts';
import type { CheckDecision, CheckItem, CheckOutcome, CheckRange, CheckReport } from '../../app/audit/checkReport.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { createTrust } from '../../trust/envelope.ts';
import { readCiKeys } from '../keys/keys.ts';
import type { Globals, Io } from '../kit/io.ts';
import { verb, type Call, type Printed } from '../kit/verb.ts';
import { filesAt, gitRepository, readRange, requireUnmoved, type GitRepository } from '../kit/git.ts';
import { checkStore } from '../../app/audit/checkStore.ts';
import { firstLine, onOneLine, plural } from '../../core/kit/text.ts';
import { visibleText } from '../../core/kit/visible.ts';
import { readAccepted } from '../../app/audit/attestations.ts';
import { checkAttested } from '../../app/audit/checkAttested.ts';

const input = z.strictObject({
  base: z.string().describe('the target of the change: a branch, tag or commit'),
  head: z.string().default('HEAD').describe('the change; default: the commit that is checked out'),
  attestations: z.string().optional().describe('CI: the signed decisions in the repository, used instead of a journal'),
  keys: z.string().optional().describe('CI: the trusted public keys, from outside the repository'),
  require: z
    .array(z.string())
    .default([])
    .describe('commits that change matching files must name a decision about them'),
  markdown: z
    .union([z.literal(true), z.string()])
    .optional()
    .describe('write a report in Markdown, for a step summary or a pull request'),
});
type Options = z.output<typeof input>;

export const checkVerb = verb({
  words: 'check',
  help: ['Work and gate', 'did humans decide what a change needs? For CI'],
  about:
    'check whether humans made the decisions that a change needs: questions and RFCs about its files and in its messages. Exit 0: all clear; 2: not clear or unknown',
  input,
  hints: {
    ...{ base: '--base <ref>', head: '--head <ref>', attestations: '--attestations <dir>', keys: '--keys <file>' },
    ...{ require: '--require <glob>', markdown: '--markdown [file]' },
  },
  failed: (error) => (error instanceof AppError && error.code === 'bad_input' ? 1 : 2),
  async run(call, options) {
    requireOnePrinted(call.flags, options);
    return printed(call, await runCheck(call, options), options);
  },
});

function requireOnePrinted({ json }: Globals, { markdown }: Options): void {
  if (json === true && markdown === true)
    throw new AppError('bad_input', 'only one of --json and --markdown can be printed. Name a file for the other');
}

/** @throws AppError `bad_input`, or `conflict` where no report about the head can be made */
async function runCheck({ io, workspace }: Call, options: Options): Promise<CheckReport> {
  if ((options.attestations === undefined) !== (options.keys === undefined))
    throw new AppError(
      'bad_input',
      '--attestations and --keys must be given together: keys in a repository prove nothing',
    );
  const git = gitRepository(io, workspace.location.worktree);
  const report = await (options.attestations === undefined
    ? fromStore(workspace, git, options)
    : fromAttestations({ io, git, options, folder: options.attestations, keys: options.keys ?? '' }));
  requireUnmoved(git, options, report.range);
  return report.made;
}

interface Made {
  readonly made: CheckReport;
  readonly range: CheckRange;
}

async function fromStore(workspace: Workspace, git: GitRepository, options: Options): Promise<Made> {
  const range = readRange(git, options, workspace.location.worktree);
  await confirmWith(workspace);
  return { made: checkStore(workspace, range), range };
}

interface FromAttestations {
  readonly io: Io;
  readonly git: GitRepository;
  readonly options: Options;
  readonly folder: string;
  readonly keys: string;
}

/** Reads them from the head commit, so that nothing else in the checkout matters. */
function fromAttestations({ io, git, options, folder, keys }: FromAttestations): Made {
  const top = fs.realpathSync.native(git.top);
  const inRepository = placeInRepository(io, top, folder);
  if (inRepository === null)
    throw new AppError('bad_input', `--attestations: ${folder} is not a folder in the repository ${top}`);
  const root = inRepository.replace(/\/?\.holdpoint\/decisions$/, '');
  const range = readRange(git, options, path.join(top, root === inRepository ? '' : root));
  requireOutside(io, git, { top, keys, head: range.head });
  const { keys: known, workspaces } = readCiKeys(io.cwd, keys);
  const accepted = { trust: createTrust(() => known), workspaces };
  const attestations = [];
  const bad: { name: string; why: string }[] = [];
  for (const file of filesAt(git, range.head, inRepository)) {
    if (!file.path.endsWith('.json')) continue;
    const isPlain = file.mode === '100644' || file.mode === '100755';
    const read = isPlain
      ? readAccepted(path.posix.basename(file.path), file.content.toString('utf8'), accepted)
      : { why: 'is not a plain file' };
    if ('why' in read) bad.push({ name: file.path, why: read.why });
    else attestations.push(read);
  }
  for (const { path: name, change } of range.files)
    if (change === 'deleted' && name.startsWith(`${inRepository}/`) && name.endsWith('.json'))
      bad.push({ name, why: 'was a decision and has been deleted' });
  if (attestations.length === 0 && bad.length === 0)
    throw new AppError('conflict', `--attestations: ${range.head} has no signed decision in ${inRepository}`);
  return { made: checkAttested(range, { attestations, bad }), range };
}

/** A folder as git names it; null outside the repository, and for the repository itself. */
function placeInRepository(io: Io, top: string, given: string): string | null {
  const absolute = path.resolve(fs.realpathSync.native(io.cwd), given);
  const inside = path.relative(top, absolute).split(path.sep).join('/');
  return inside === '' || inside.startsWith('../') || inside === '..' || path.isAbsolute(inside) ? null : inside;
}

/** A branch that brings decisions must not bring the keys to verify them. @throws AppError `conflict` */
function requireOutside(
  io: Io,
  git: GitRepository,
  { top, keys, head }: { readonly top: string; readonly keys: string; readonly head: string },
): void {
  const file = path.resolve(io.cwd, keys);
  if (!fs.existsSync(file)) return;
  const inside = placeInRepository(io, top, fs.realpathSync.native(file));
  if (inside !== null && git.run(['ls-tree', '-z', '--full-tree', head, '--', inside]).length > 0)
    throw new AppError('conflict', `--keys: ${keys} is a file of the commit that is checked, so it proves nothing`);
}

function printed({ io }: Call, report: CheckReport, { markdown }: Options): Printed {
  const inMarkdown = () => `${checkText(report, asMarkdown)}\n`;
  if (typeof markdown === 'string') writeReport(io, markdown, inMarkdown());
  const isReport = markdown === true;
  const text = isReport ? inMarkdown().trimEnd() : checkText(report, terminal);
  const isClear = report.result === 'proceed';
  return { text, schema: 'check', data: report, code: isClear ? 0 : 2, toErr: !isClear && !isReport };
}

/** Replaces a file, never through a link: a branch can contain one that leads anywhere. */
function writeReport(io: Io, name: string, content: string): void {
  const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = fs.constants;
  // Windows has no such flag, so it is undefined there, which counts as 0.
  const file = fs.openSync(path.resolve(io.cwd, name), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
  try {
    fs.writeFileSync(file, content);
  } finally {
    fs.closeSync(file);
  }
}

// The report for people: in a terminal, or as Markdown for a step summary or a pull request. Texts by agents, people and
// git never begin a line, which the log of a workflow could read as a command; in Markdown they are code spans, so that
// nothing in them becomes a link, a mention, an image or HTML.

interface Style {
  /** A text by others. */
  quote(text: string): string;
  title(text: string): string;
  heading(text: string): string;
  readonly bullet: string;
  readonly strong: string;
}

const terminal: Style = {
  quote: oneLine,
  title: (text) => text,
  heading: (text) => `${text}:`,
  bullet: '  ',
  strong: '',
};

const asMarkdown: Style = {
  quote: code,
  title: (text) => `### ${text}\n`,
  heading: (text) => `#### ${text}\n`,
  bullet: '- ',
  strong: '**',
};

const outcomeWords: Readonly<Record<CheckOutcome, string>> = {
  allowed: 'allowed',
  undecided: 'undecided',
  refused: 'refused',
  not_approved: 'not approved',
  withdrawn: 'withdrawn by its agent',
  unverifiable: 'not verifiable',
  unknown: 'unknown',
};

const verdictWords = { CLEAR: 'all clear', BLOCKED: 'not clear', UNKNOWN: 'UNKNOWN' } as const;

/** How many entries of a list are printed; `--json` has all. */
const shownAtMost = 50;

/** A comment on a pull request has at most 65,536 characters. */
const lengthAtMost = 60_000;

function checkText(report: CheckReport, style: Style): string {
  const { state, base, head, files, source, journal, problems, items, notes } = report;
  const { quote } = style;
  const read = source === 'store' ? `the journal at position ${String(journal?.position ?? 0)}` : 'attestations';
  const lines = [
    style.title(
      `Check of ${quote(head)} against ${quote(base)}: ${verdictWords[state]} (${plural(files.length, 'changed file')}, ${read}).`,
    ),
    ...section(style, [
      'To resolve',
      problems.map(({ text, files: of }) => `Denied: ${quote(text)}${filesIn(of, style)}`),
    ]),
    ...section(style, ['Questions and RFCs', items.map((item) => itemLine(item, style))]),
    ...section(style, ['Notes', notes.map(quote)]),
  ];
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > lengthAtMost);
  return (end < 0 ? lines : [...lines.slice(0, end), '', 'The rest is too long to show here.']).join('\n');
}

function section(style: Style, [title, lines]: readonly [string, readonly string[]]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > shownAtMost ? [`and ${String(lines.length - shownAtMost)} more`] : [];
  return [style.heading(title), ...[...lines.slice(0, shownAtMost), ...more].map((line) => style.bullet + line)];
}

function itemLine(item: CheckItem, style: Style): string {
  const { id, title, for: whom, outcome, replaced_by: by, decision, files, commits } = item;
  const { quote, strong } = style;
  const parts = [
    `${quote(id)}${title === null ? '' : ` ${quote(`"${firstLine(title, 200)}"`)}`}: ${strong}${outcomeWords[outcome]}${strong}`,
    ...(whom === null ? [] : [`for ${quote(whom)}`]),
    ...(by === null ? [] : [`${quote(by)} was approved later`]),
    ...(decision === null ? [] : decisionParts(decision, style)),
    ...(commits.length === 0 ? [] : [`named by ${plural(commits.length, 'commit')}`]),
  ];
  return `${parts.join(', ')}${filesIn(files, style)}`;
}

function decisionParts(decision: CheckDecision, { quote }: Style): string[] {
  const { action, by, at, key, effect, said, revision, revision_hash: hash, conditions, constraints } = decision;
  return [
    `${quote(action)} by ${quote(by)} at ${quote(at)}`,
    ...(effect === null ? [] : [`effect ${quote(effect)}`]),
    ...(revision === null
      ? []
      : [`revision ${String(revision)}${hash === null ? '' : ` (${quote(hash.slice(0, 16))})`}`]),
    `signature valid, key ${quote(key.slice(0, 16))}`,
    ...(said === null ? [] : [quote(`"${said}"`)]),
    ...[...conditions, ...constraints].map((term) => `asks ${quote(`"${firstLine(term, 200)}"`)}`),
  ];
}

function filesIn(files: readonly string[], { quote }: Style): string {
  if (files.length === 0) return '';
  const more = files.length > 10 ? ` and ${String(files.length - 10)} more` : '';
  return ` (${files.slice(0, 10).map(quote).join(', ')}${more})`;
}

/** Text by others on one line, without hidden characters or broken Unicode. */
function oneLine(text: string): string {
  return visibleText(onOneLine(text.replace(/\p{Surrogate}/gu, '\uFFFD')));
}

/** A code span, longer fenced than any run of backticks in it, on one line. CommonMark 0.31, section 6.1. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '` `';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return /^`|`$/.test(line) ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
