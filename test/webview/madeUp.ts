/** A made-up language for tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Program } from '../../src/ui/kit/program.ts';

/** Looks like Greek; placeholders stay. */
export function translate(text: string): string {
  return text.replace(/\{\w+\}|[A-Za-z]/g, (part) =>
    part.startsWith('{') ? part : String.fromCharCode(0x370 + (part.charCodeAt(0) - 0x41)),
  );
}

const bundle = path.join(import.meta.dirname, '..', '..', 'l10n', 'bundle.l10n.json');
const english = Object.keys(JSON.parse(readFileSync(bundle, 'utf8')) as Record<string, string>);
/** The browser formats dates in it. */
export const otherLanguage: Pick<Program, 'language' | 'texts'> = {
  language: 'el',
  texts: Object.fromEntries(english.map((text) => [text, translate(text)])),
};
