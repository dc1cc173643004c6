/** `holdpoint setup --command FORM.json`: the hook command for a host that setup does not know, tried with a canary hold. */
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../app/workspace/errors.ts';
import { UnreadableCall } from '../../hosts/call.ts';
import { formCanary, genericForm, withForm } from '../../hosts/payload/form.ts';
import { canaryCalls, onGround, tryHook } from '../../hosts/setup/canary.ts';
import { posixCommand, type Place } from '../../hosts/setup/place.ts';
import type { HostForm } from '../../hosts/host.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import type { Shown } from '../kit/outputs.ts';
import { canaryHold, ensureLauncher } from './setupCanary.ts';

/** @throws AppError for a description that is not valid */
export async function genericCommand(io: Io, place: Place, file: string): Promise<Shown & { code: ExitCode }> {
  if (io.platform === 'win32')
    throw new AppError('bad_input', '--command: Windows is not supported for hosts that setup does not know');
  const form = read(io, file);
  ensureLauncher(io, place);
  const line = (workspace: string) =>
    posixCommand({
      host: 'generic',
      launcher: place.launcher,
      workspace,
      denying: true,
      form: JSON.stringify(form),
      ...(form.deny ? { denial: form.deny } : {}),
    });
  const trouble = await onGround(place, canaryHold(io), (ground) =>
    tryHook(ground, {
      hook: { kind: 'command', shell: 'posix', line: line(ground.folder) },
      calls: canaryCalls(withForm(form, 'Another host'), ground.folder),
      denial: form.deny,
    }),
  );
  const command = line(place.workspace);
  const tested = trouble
    ? `Not usable: the canary failed (${trouble.code}: ${trouble.detail}).`
    : 'Tested just now: an edit to a held file was blocked, reading was not. Register this command before every tool:';
  return {
    text: trouble ? tested : `${tested}\n${command}`,
    schema: 'setup',
    data: { command, works: trouble === null },
    code: trouble ? 1 : 0,
  };
}

function read(io: Io, file: string): HostForm {
  try {
    const form = genericForm(fs.readFileSync(path.resolve(io.cwd, file), 'utf8'));
    formCanary(form, 'held.txt');
    return form;
  } catch (error) {
    const why = error instanceof UnreadableCall ? error.message : 'it cannot be read';
    throw new AppError('bad_input', `--command ${file}: ${why}`);
  }
}
