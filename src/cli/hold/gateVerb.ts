/** `holdpoint gate` as a verb: its help, commits, signed decisions, and arguments that `plainGate` does not parse. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { lookAtHeld } from '../../app/hold/lookAtHeld.ts';
import { confirmWith } from '../../app/workspace/freshness.ts';
import { collect } from '../kit/arguments.ts';
import { askCommitGate, isCommitGate, changesOf, type CommitOptions } from './commitGate.ts';
import { answerGate, type GateOptions } from './gate.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import { printError, type Globals } from '../kit/runVerb.ts';
import { jsonOf, type Shown } from '../kit/outputs.ts';
import { openFolder } from '../kit/openFolder.ts';
import type { Verbs } from '../kit/verbs.ts';
import fs from 'node:fs';
import path from 'node:path';
import { readAttestations } from '../../app/audit/attestations.ts';
import { attestedGate } from '../../app/audit/attestedGate.ts';
import { referencesIn } from '../../app/hold/commitGate.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { plural } from '../../core/kit/plural.ts';
import { createTrust } from '../../trust/envelope.ts';
import { bindingText } from '../../tools/kit/gateText.ts';
import { placeIn } from '../kit/git.ts';
import { readCiKeys } from '../keys/keys.ts';

// `holdpoint gate --commit RANGE --attestations DIR --keys FILE`: the gate for CI, where there is no store. What commits
// name must be decided in signed files of the repository, and the keys must come from outside it.

interface AttestedOptions extends CommitOptions {
  readonly attestations?: string;
  readonly keys?: string;
  readonly require: string[];
}

function isAttestedGate({ attestations, keys, require }: AttestedOptions): boolean {
  return attestations !== undefined || keys !== undefined || require.length > 0;
}

/** A link in the checkout could lead to decisions that the commit does not contain. @throws AppError `bad_input` */
function requireNoLink(top: string, folder: string, given: string): void {
  const inside = path.relative(top, folder);
  const names = inside.startsWith('..') || path.isAbsolute(inside) ? [folder] : inside.split(path.sep);
  let at = names[0] === folder ? '' : top;
  for (const name of names) {
    at = path.join(at, name);
    if (fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new AppError('bad_input', `--attestations: ${given} leads through a link (${at}), so it proves nothing`);
  }
}

/** @throws AppError `bad_input`; a gate denies on every error */
function askAttestedGate(io: Io, workspace: Workspace, options: AttestedOptions): Shown & { allowed: boolean } {
  const { attestations: given, keys, require: required } = options;
  if (given === undefined || keys === undefined || options.commit === undefined)
    throw new AppError(
      'bad_input',
      '--commit, --attestations and --keys must be given together: keys in a repository prove nothing',
    );
  const top = workspace.location.worktree;
  const folder = path.resolve(io.cwd, given);
  const { keys: known, workspaces } = readCiKeys(io.cwd, keys);
  requireNoLink(top, folder, given);
  const { attestations, bad } = readAttestations(fs, folder, { trust: createTrust(() => known), workspaces });
  const commits = changesOf(io, workspace, options).map(({ name, files, message }) => ({
    name,
    files: files.map((file) => path.relative(top, path.resolve(top, file)).split(path.sep).join('/')),
    names: referencesIn(message),
  }));
  const inFolder = `${path.relative(top, folder).split(path.sep).join('/')}/`;
  const gone = commits.flatMap(({ name, files }) =>
    files
      .filter((file) => file.startsWith(inFolder) && file.endsWith('.json') && !fs.existsSync(path.join(top, file)))
      .map((file) => ({ name: `${name}: ${file}`, why: 'was a decision and has been deleted' })),
  );
  const { allowed, reasons, decisions } = attestedGate(
    commits,
    { attestations, bad: [...bad, ...gone] },
    { required, inside: placeIn(top, path.dirname(path.dirname(folder))) },
  );
  const lines = decisions.map((one) => `${one.id}: ${one.action} by ${one.by} at ${one.at}.${bindingText(one)}`);
  const text = allowed
    ? [
        `Allowed: ${plural(commits.length, 'commit')}, ${plural(attestations.length, 'verified decision')}.`,
        ...lines,
      ].join('\n')
    : reasons.map((reason) => `Denied: ${reason}`).join('\n');
  return {
    allowed,
    text,
    schema: 'gate_attestations',
    data: {
      result: allowed ? 'proceed' : 'denied',
      verdict: allowed ? 'allow' : 'deny',
      commits: commits.map(({ name }) => name),
      reasons,
      decisions,
      text,
    },
  };
}

export function gateVerb(program: Command, { io, globals, exit }: Verbs): void {
  program
    .command('gate')
    .description('check whether work, files or this session may continue. Exit 0: yes; 2: no or unknown')
    .option('--work <id>', 'a work item')
    .option('--file <path>', 'a file (repeat)', collect, [])
    .option('--commit <range>', 'check the files and messages of a commit or a range of commits')
    .option('--staged', 'check staged changes')
    .option('--message-file <file>', 'check the message of a commit in progress')
    .option('--attestations <dir>', 'CI: the signed decisions in the repository, used instead of a journal')
    .option('--keys <file>', 'CI: the trusted public keys, from outside the repository')
    .option('--require <glob>', 'CI: commits that change matching files must name a decision (repeat)', collect, [])
    .action(async (options: GateOptions & AttestedOptions, command: Command) => {
      const flags = globals(command);
      exit(
        await (isCommitGate(options) || isAttestedGate(options)
          ? answerCommits(io, flags, options)
          : answerGate(io, flags, options)),
      );
    });
}

async function answerCommits(io: Io, flags: Globals, options: GateOptions & AttestedOptions): Promise<ExitCode> {
  try {
    const workspace = openFolder(io, flags.workspace);
    try {
      if (options.work !== undefined || options.file.length > 0)
        throw new AppError('bad_input', 'Ask either about commits or about work and files.');
      const attested = isAttestedGate(options);
      if (!attested) {
        await confirmWith(workspace);
        await lookAtHeld(workspace);
      }
      const { allowed, ...shown } = (attested ? askAttestedGate : askCommitGate)(io, workspace, options);
      if (flags.json) io.out(jsonOf(shown));
      else if (allowed) io.out(shown.text);
      else io.err(shown.text);
      return allowed ? 0 : 2;
    } finally {
      workspace.close();
    }
  } catch (error) {
    printError(io, flags, error, { result: 'denied' });
    return 2;
  }
}
