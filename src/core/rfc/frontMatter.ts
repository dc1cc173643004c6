/** Front matter of a Markdown file: fields of YAML between lines of `---`, or of TOML between lines of `+++`. */
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

export interface FrontMatter {
  /** The lines between the marks, as they were written. */
  readonly written: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly language: 'yaml' | 'toml';
  /** Offset of the text after it. */
  readonly end: number;
}

/** Null for a text that does not begin with fields: what stands between such lines is then part of the text. */
export function frontMatterOf(text: string): FrontMatter | null {
  const [whole, mark, written = ''] = /^(---|\+\+\+)\n(?:(.*?)\n)??\1[ \t]*(?:\n|$)/s.exec(text) ?? [];
  if (whole === undefined) return null;
  const language = mark === '---' ? 'yaml' : 'toml';
  const fields = fieldsOf(written, language);
  return fields && { written: written.trim() === '' ? '' : written, fields, language, end: whole.length };
}

function fieldsOf(written: string, language: 'yaml' | 'toml'): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = language === 'yaml' ? parseYaml(written, { logLevel: 'error' }) : parseToml(written);
    if (read === null) return {}; // comments only
    return typeof read === 'object' && !Array.isArray(read) ? (read as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** A block of code, whatever it contains. */
export function fenceCode(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
