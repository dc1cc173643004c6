/** Prompt templates: Markdown with front matter. They are data with a version, which is stored with what they led to. */
import { parse } from 'yaml';
import * as z from 'zod';

const frontMatter = z.object({ name: z.string(), version: z.union([z.string(), z.number()]) });

export interface Prompt {
  readonly name: string;
  readonly version: string;
  readonly body: string;
}

/** @throws Error for a file that is no template: it is part of the program, so that is the program's fault */
export function parsePrompt(text: string): Prompt {
  const [, matter = '', body = ''] = /^---\n(.*?)\n---\n+(.*)$/s.exec(text.replaceAll('\r\n', '\n')) ?? [];
  const parsed = frontMatter.safeParse(parse(matter));
  if (!parsed.success) throw new Error('a prompt needs a name and a version');
  return { name: parsed.data.name, version: String(parsed.data.version), body };
}

/** Puts values into their places, in one pass: what a value says is never read as a place. */
export function renderPrompt({ body, name }: Prompt, values: Readonly<Record<string, string>>): string {
  return body.replace(/\{\{(\w+)\}\}/g, (_, place: string) => {
    const value = values[place];
    if (value === undefined) throw new Error(`prompt ${name} wants ${place}`);
    return value;
  });
}
