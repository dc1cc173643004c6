/** Reads the description of a generic host. Anything that is not exactly of its form is refused, and so every call. */
import { UnreadableCall } from '../call.ts';
import { isFields } from './fields.ts';
import type { Denial } from './denial.ts';
import type { HostForm } from './form.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isRecordOf =
  (check: Check): Check =>
  (value) =>
    isFields(value) && Object.values(value).every(check);
/** An object with exactly these fields. */
const isExactly =
  (...names: readonly string[]): Check =>
  (value) =>
    isFields(value) &&
    Object.keys(value).sort().join() === [...names].sort().join() &&
    names.every((name) => isText(value[name]));
const isDenial: Check = (value) =>
  isFields(value) &&
  Object.keys(value).sort().join() === 'exit,json' &&
  (value['exit'] === 0 || value['exit'] === 2) &&
  isFields(value['json']) &&
  Object.values(value['json']).every((part) => ['string', 'boolean', 'number'].includes(typeof part)) &&
  Object.values(value['json']).some((part) => typeof part === 'string' && part.includes('$reason'));

const checks: Readonly<Record<keyof HostForm, Check>> = {
  event: isExactly('field', 'before'),
  tool: isText,
  input: isText,
  session: isText,
  cwd: isTexts,
  reads: isTexts,
  edits: isRecordOf(isTexts),
  shells: isRecordOf(isText),
  servers: isExactly('prefix', 'separator'),
  serverCall: isExactly('tool', 'server', 'name', 'input'),
  deny: isDenial,
};

/** @throws UnreadableCall saying what is wrong with it */
export function genericForm(json: string | undefined): HostForm {
  const form = parsed(json);
  if (!isFields(form)) throw new UnreadableCall('the description of the host must be a JSON object (--form)');
  for (const name of ['tool', 'input'])
    if (form[name] === undefined) throw new UnreadableCall(`the description of the host lacks "${name}"`);
  for (const [name, value] of Object.entries(form))
    if (!Object.hasOwn(checks, name) || !checks[name as keyof HostForm](value))
      throw new UnreadableCall(`the description of the host has a "${name.slice(0, 80)}" that is not as documented`);
  return form as unknown as HostForm;
}

function parsed(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return null;
  }
}

/** The denial of a description, also where the rest of it is not valid; undefined for none. */
export function genericDenial(json: string | undefined): Denial | undefined {
  const form = parsed(json);
  return isFields(form) && isDenial(form['deny']) ? (form['deny'] as Denial) : undefined;
}
