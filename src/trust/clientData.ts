/** The JSON that a browser makes about an assertion, which the authenticator signs. */
import * as z from 'zod';

const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});
export type ClientData = z.infer<typeof clientData>;

/** Null for anything that readers could understand differently: other encodings, and names that appear twice. */
export function parseClientData(bytes: Uint8Array): ClientData | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const parsed = clientData.safeParse(JSON.parse(text));
    return parsed.success && !hasRepeatedName(text) ? parsed.data : null;
  } catch {
    return null;
  }
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** @param text valid JSON; only names of the outermost object are compared */
function hasRepeatedName(text: string): boolean {
  const names = new Set<unknown>();
  let depth = 0;
  let before = '';
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') depth += 1;
    else if (part === '}' || part === ']') depth -= 1;
    else if (part === ':' && depth === 1) {
      const name: unknown = JSON.parse(before);
      if (names.has(name)) return true;
      names.add(name);
    }
    before = part;
  }
  return false;
}
