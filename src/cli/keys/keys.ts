/** `holdpoint keys`: the trusted public keys of this machine, in the format that `audit --key` and CI read. */
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { formatPublicKey, formatWorkspace, parsePublicKeys, parseWorkspaces } from '../../trust/publicKeys.ts';
import type { VerbOutputs } from '../kit/outputs.ts';
import { verb } from '../kit/verb.ts';

export const keysVerb = verb({
  words: 'keys',
  help: ['People and setup', 'the public keys that are trusted on this machine'],
  about: 'list the public keys trusted on this machine, one per line; changes nothing',
  run({ workspace }) {
    const keys = workspace.pins();
    return {
      text: keys.length === 0 ? noKeys(workspace) : [...workspaceLines(workspace), ...keys.map(lineOf)].join('\n'),
      schema: 'keys',
      data: { keys: keys.map(dataOf) },
    };
  },
});

function workspaceLines(workspace: Workspace): string[] {
  const id = workspace.standing().state?.workspace?.id;
  return id === undefined ? [] : [formatWorkspace(id)];
}

function noKeys(workspace: Workspace): string {
  return workspace.team() ? '# the team’s list of keys cannot be used' : '# this machine trusts no key yet';
}

function dataOf({ keyid, publicKey, name, enrolledAt, retired, passkey }: PinnedKey): Listed {
  const given = retired ? { at: retired.at, why: retired.why } : null;
  const place = passkey ? { origin: passkey.origin, rp_id: passkey.rpId, label: passkey.label } : null;
  return { keyid, public_key: publicKey, name, enrolled_at: enrolledAt, passkey: place, retired: given };
}

type Listed = VerbOutputs['keys']['keys'][number];

/** Retired keys are commented out: without the store, a reader cannot tell which of their decisions came before. */
function lineOf(pin: PinnedKey): string {
  const line = formatPublicKey(pin);
  return pin.retired ? `# retired at ${pin.retired.at} (${pin.retired.why}): ${line}` : line;
}

/** Keys from a file, or a single key as text. @throws AppError `bad_input` */
export function readKeys(cwd: string, given: string, option: string): PinnedKey[] {
  return keysIn(textOf(cwd, given), option);
}

function keysIn(text: string, option: string): PinnedKey[] {
  try {
    return parsePublicKeys(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('bad_input', `${option}: ${why}`, { cause });
  }
}

/**
 * Keys and workspaces from outside the repository, for checks of attestations: decisions of other workspaces have no effect.
 * @throws AppError `bad_input`
 */
export function readCiKeys(cwd: string, given: string) {
  const text = textOf(cwd, given);
  const keys = keysIn(text, '--keys');
  const workspaces = parseWorkspaces(text);
  if (workspaces.length === 0)
    throw new AppError(
      'bad_input',
      '--keys has no workspace line, so a decision made for another repository would be valid here. Add the line "workspace ID" that `holdpoint keys` prints in the repository’s workspace',
    );
  return { keys, workspaces };
}

function textOf(cwd: string, given: string): string {
  const file = path.resolve(cwd, given);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : given;
}
