/** The text that goes with a prompt, as a block before the prompt's own. */
import { isFields, textOf } from '../hosts/payload/fields.ts';
import type { Fields } from '../hosts/payload/fields.ts';
import type { Gate } from './gate.ts';
import type { Session } from './sessions.ts';

const refusals =
  'In this session Holdpoint itself refuses permissions for what is held: if a tool is refused, call holdpoint_check_gate to learn why.';

/** Null if there is nothing to say. */
export async function withContext(session: Session, params: Fields, gate: Gate): Promise<Fields | null> {
  const { prompt } = params;
  session.isCancelled = false;
  // A command of the agent is recognized by the first block; the text goes with the next prompt.
  if (!Array.isArray(prompt) || isCommand(prompt[0])) return null;
  const context = await gate.context(session, session.isNew ? 'session/new' : 'session/prompt');
  const rules = session.isNew && context !== '' ? [refusals] : [];
  session.isNew = false;
  const text = [...session.notes.splice(0), context, ...rules].filter((part) => part !== '').join('\n');
  return text === '' ? null : { ...params, prompt: [{ type: 'text', text }, ...(prompt as unknown[])] };
}

function isCommand(block: unknown): boolean {
  return isFields(block) && (textOf(block, 'text') ?? '').trimStart().startsWith('/');
}
