/**
 * Commands in the pages, and the markers that say how the contract test checks them.
 *
 * A marker is an HTML comment before a fenced block: `docs-test`, then YAML with one of these keys:
 * - `in`: the workspace the block runs in (docsWorkspaces.ts; `previous` continues the block before), and `lines`: for
 *   each command its exit code and its output. A shell comment after a command counts as output too, unless `remark` is
 *   set; `append` adds arguments, `input` is standard input. For YAML of a workflow, `step` names the steps to run.
 * - `options`: the reason why only verbs and options are checked.
 * - `skip`: the reason why nothing runs. Verbs and options are still checked.
 * - `keys`: the number of lines of a key file in the block.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { parse } from 'yaml';
import * as z from 'zod';
import { root } from '../support/host.ts';

const expected = z.strictObject({
  exit: z.number().int(),
  prints: z.string().optional(),
  remark: z.literal(true).optional(),
  append: z.string().optional(),
  input: z.string().optional(),
});
export type Expected = z.infer<typeof expected>;

const marker = z.union([
  z.strictObject({
    in: z.string(),
    step: z.union([z.string(), z.array(z.string())]).optional(),
    lines: z.array(expected).min(1),
  }),
  z.strictObject({ options: z.string().min(10) }),
  z.strictObject({ skip: z.string().min(10) }),
  z.strictObject({ keys: z.number().int().min(1) }),
]);
export type Marker = z.infer<typeof marker>;

export interface Block {
  /** Page and line, for titles and messages. */
  readonly at: string;
  readonly language: string;
  readonly content: string;
  readonly marker: Marker | null;
}

export interface Page {
  readonly name: string;
  readonly blocks: readonly Block[];
  /** The parts of a text in backticks. */
  readonly inline: readonly string[];
}

export function readPages(): readonly Page[] {
  return globSync(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md'], { cwd: root })
    .sort()
    .map((name) => readPage(name, readFileSync(path.join(root, name), 'utf8')));
}

/** @throws ZodError for a malformed marker */
export function readPage(name: string, text: string): Page {
  const tokens = new MarkdownIt({ html: true }).parse(text, {});
  const blocks = tokens.flatMap((token, index) => {
    if (token.type !== 'fence' && token.type !== 'code_block') return [];
    const before = tokens[index - 1];
    const given = before?.type === 'html_block' ? /^<!-- docs-test\n(.*)-->\s*$/s.exec(before.content)?.[1] : undefined;
    return [
      {
        at: `${name}:${String((token.map?.[0] ?? 0) + 1)}`,
        language: token.info.trim(),
        content: token.content,
        marker: given === undefined ? null : marker.parse(parse(given)),
      },
    ];
  });
  const inline = tokens.flatMap(({ children }) =>
    (children ?? []).filter(({ type }) => type === 'code_inline').map(({ content }) => content),
  );
  return { name, blocks, inline };
}

/** Languages of blocks that contain no commands. A block without a language contains commands. */
export function hasCommands({ language }: Block): boolean {
  return !['text', 'json'].includes(language);
}

/** The commands of a block: one per line; a line that ends in a pipe or a backslash continues on the next. */
export function commandsOf(content: string): readonly string[] {
  const joined = content.replace(/(\\|\|)[ \t]*\n/g, (_, end: string) => (end === '|' ? '| ' : ''));
  return joined.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
}

/** The output that a shell comment after a command announces: `# exit 2: held by Q-1`, or text alone. */
export function remarkOf(command: string): { readonly exit?: number; readonly text?: string } {
  const remark = /\s# (.*)$/.exec(command)?.[1]?.trim();
  if (remark === undefined) return {};
  const exit = /^exit (\d+)(?:: (.*))?$/.exec(remark);
  if (!exit) return { text: remark };
  return { exit: Number(exit[1]), ...(exit[2] === undefined ? {} : { text: exit[2] }) };
}
