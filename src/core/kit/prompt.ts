/** Prompt templates: Markdown with front matter. They are versioned, and the version is stored with each result. */
import { parse } from 'yaml';
import * as z from 'zod';

const frontMatter = z.object({ name: z.string(), version: z.union([z.string(), z.number()]) });

export interface Prompt {
  readonly name: string;
  readonly version: string;
  readonly body: string;
}

/** @throws Error for an invalid template: a bug, because templates are part of the program */
export function parsePrompt(text: string): Prompt {
  const [, matter = '', body = ''] = /^---\n(.*?)\n---\n+(.*)$/s.exec(text.replaceAll('\r\n', '\n')) ?? [];
  const parsed = frontMatter.safeParse(parse(matter));
  if (!parsed.success) throw new Error('a prompt needs a name and a version');
  return { name: parsed.data.name, version: String(parsed.data.version), body };
}

/** Replaces placeholders in one pass, so that placeholders within values are not replaced. */
export function renderPrompt({ body, name }: Prompt, values: Readonly<Record<string, string>>): string {
  return body.replace(/\{\{(\w+)\}\}/g, (_, place: string) => {
    const value = values[place];
    if (value === undefined) throw new Error(`prompt ${name} wants ${place}`);
    return value;
  });
}
