/** What a session's agent has said of its tool calls: a request for permission may say only which call it is about. */
import { isFields, textOf } from '../hosts/payload/fields.ts';
import type { Fields } from '../hosts/payload/fields.ts';

export interface ToolCall {
  /** All that was said, the latest of each field; paths add up. */
  readonly said: Fields;
  /** Its permission was granted here. */
  readonly isGranted: boolean;
  /** That it ran without one was noticed. */
  readonly isNoticed: boolean;
}

export interface ToolCalls {
  /** Adds what an update or a request says of its call. */
  note(update: Fields): ToolCall;
  mark(id: string, marks: Partial<Pick<ToolCall, 'isGranted' | 'isNoticed'>>): void;
}

const kept = 500;
const plain = ['toolCallId', 'kind', 'title', 'name', 'status', 'rawInput', '_meta'];

export function openToolCalls(): ToolCalls {
  const calls = new Map<string, ToolCall>();
  const keep = (id: string, call: ToolCall): ToolCall => {
    calls.delete(id);
    calls.set(id, call);
    const [oldest] = calls.keys();
    if (calls.size > kept && oldest !== undefined) calls.delete(oldest);
    return call;
  };
  return {
    note(update) {
      const id = textOf(update, 'toolCallId');
      const before = id === null ? undefined : calls.get(id);
      const call = { isGranted: false, isNoticed: false, ...before, said: merged(before?.said ?? {}, update) };
      return id === null ? call : keep(id, call);
    },
    mark(id, marks) {
      const call = calls.get(id);
      if (call) keep(id, { ...call, ...marks });
    },
  };
}

function merged(before: Fields, update: Fields): Fields {
  const said = plain.filter((name) => update[name] !== undefined && update[name] !== null);
  const paths = [
    ...listIn(before, 'paths'),
    ...listIn(update, 'locations').map(pathIn),
    // The new texts of files are of no interest.
    ...listIn(update, 'content').flatMap((one) => (isFields(one) && one['type'] === 'diff' ? [pathIn(one)] : [])),
  ];
  return { ...before, ...Object.fromEntries(said.map((name) => [name, update[name]])), paths: [...new Set(paths)] };
}

function listIn(fields: Fields, name: string): unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** What cannot be a path stands for a file that is unknown. */
function pathIn(place: unknown): string {
  return (isFields(place) ? textOf(place, 'path') : null) ?? '\u0000';
}
