/** Proposes a template from the words of one text: numbers, versions, quoted words and paths become placeholders. */
import { literalTemplate, matchTemplate, parseTemplate } from './template.ts';

const leading = /^["'`(]+/;
const trailing = /["'`)\].,;:!?]+$/;

/** A template that fits the text; the text itself where nothing in it varies. */
export function proposeTemplate(text: string): string {
  const used = new Map<string, number>();
  const proposed = text
    .split(/(\s+)/)
    .map((piece) => proposedPiece(piece, used))
    .join('');
  const template = parseTemplate(proposed, 'text');
  return 'parts' in template && matchTemplate(template, text) ? proposed : literalTemplate(text);
}

function proposedPiece(piece: string, used: Map<string, number>): string {
  const before = leading.exec(piece)?.[0] ?? '';
  const after = trailing.exec(piece.slice(before.length))?.[0] ?? '';
  const core = piece.slice(before.length, piece.length - after.length);
  const isQuoted = /["'`]$/.test(before) && /^["'`]/.test(after);
  const found = placeholderFor(core, isQuoted);
  if (found === null) return literalTemplate(piece);
  const count = (used.get(found.name) ?? 0) + 1;
  used.set(found.name, count);
  const name = count === 1 ? found.name : `${found.name}${String(count)}`;
  return `${literalTemplate(before)}{${name}: ${found.type}}${literalTemplate(after)}`;
}

function placeholderFor(core: string, isQuoted: boolean): { readonly name: string; readonly type: string } | null {
  if (/^\d{1,15}$/.test(core)) return { name: 'n', type: `number 0-${String(Number(core))}` };
  if (/^v?\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.-]+)?$/.test(core)) return { name: 'version', type: 'version' };
  const folder = /^((?:[A-Za-z0-9._-]+\/)+)[A-Za-z0-9._-]*[A-Za-z0-9_-]$/.exec(core)?.[1];
  if (folder !== undefined && !core.includes('..') && (isQuoted || core.includes('.')))
    return { name: 'file', type: `path ${folder}**` };
  if (isQuoted && /^[A-Za-z0-9@][A-Za-z0-9@._/+-]*$/.test(core)) return { name: 'name', type: 'word' };
  return null;
}
