/** Tool calls in the form of a host that is data (payload/form.ts). */
import { isFields } from '../payload/fields.ts';
import type { Fields } from '../payload/fields.ts';
import type { HostForm } from '../payload/form.ts';
import { SetupError } from './names.ts';

export interface CanaryCalls {
  readonly edit: object;
  readonly read: object;
}

export interface CommonCall {
  readonly event?: unknown;
  readonly session?: unknown;
  readonly cwd?: unknown;
  readonly tool?: unknown;
  readonly input?: unknown;
}

/** The call as the host would send it; fields that are undefined are left out. */
export function formCall(form: HostForm, call: CommonCall): Fields {
  const { event, session, cwd = [] } = form;
  const values: readonly (readonly [string | undefined, unknown])[] = [
    [event?.field, call.event ?? event?.before],
    [form.tool, call.tool],
    [form.input, call.input],
    [session, call.session],
    [cwd[0], call.cwd],
  ];
  return values.reduce<Fields>(
    (payload, [path, value]) =>
      path === undefined || value === undefined ? payload : (withValue(payload, path.split('.'), value) as Fields),
    {},
  );
}

function withValue(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return isFields(target) && isFields(value) ? { ...target, ...value } : value;
  if (/^\d+$/.test(key)) return [withValue(undefined, rest, value)];
  const fields = isFields(target) ? target : {};
  return { ...fields, [key]: withValue(fields[key], rest, value) };
}

/** @throws SetupError for a form that names no tool of the kinds that the canary calls */
export function formCanaryCalls(form: HostForm, folder: string, file: string): CanaryCalls {
  const call = (tool: string, input: Fields) =>
    formCall(form, { session: 'holdpoint-canary', cwd: folder, tool, input });
  const [editing, fields] = Object.entries(form.edits ?? {})[0] ?? [];
  const [shell, command] = Object.entries(form.shells ?? {})[0] ?? [];
  const [reading] = form.reads ?? [];
  const edit =
    editing !== undefined && fields?.[0] !== undefined
      ? call(editing, { [fields[0]]: file })
      : shell !== undefined && command !== undefined
        ? call(shell, { [command]: 'rm held.txt' })
        : null;
  const read =
    reading !== undefined
      ? call(reading, {})
      : shell !== undefined && command !== undefined
        ? call(shell, { [command]: 'cat held.txt' })
        : null;
  if (!edit || !read)
    throw new SetupError('The description of the host needs a tool that edits or a shell, and a tool that reads.');
  return { edit, read };
}
