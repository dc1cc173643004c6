/**
 * Alternatives that a section lists: a heading for each, or a point that begins with its name and a colon. Arguments
 * follow a label such as `Pros`. The section's text keeps everything, also what is written in another way.
 */
import {
  parseMarkdown,
  plainText,
  type Block,
  type Heading,
  type ListItem,
  type Markdown,
} from '../kit/markdownTree.ts';
import { withoutComments } from '../kit/markdownComments.ts';
import type { Alternative } from '../records/rfc.ts';

const parts = ['description', 'pros', 'cons', 'effort'] as const;
type Part = (typeof parts)[number];
type Draft = Readonly<Record<Part, string[]>> & { readonly name: string };

const labels: Readonly<Record<Exclude<Part, 'description'>, RegExp>> = {
  pros: /^(?:pros?|advantages?|benefits?|for)$/i,
  cons: /^(?:cons?|disadvantages?|drawbacks?|against)$/i,
  effort: /^effort(?: estimate)?$/i,
};

export function parseAlternatives(text: string): Alternative[] {
  // Right below a list, Markdown would add the line to its last point.
  const markdown = parseMarkdown(withoutComments(text).replace(/\n(?=[*_]*[a-z]{3,15}:[*_]*[ \t]*\n)/gi, '\n\n'));
  const named = markdown.blocks.filter(
    (block): block is Heading => block.type === 'heading' && !labelled(plainText(block)),
  );
  return (named.length > 0 ? headed(markdown, named) : listedAlternatives(markdown)).map(
    ({ name, description, pros, cons, effort }) => ({
      name,
      ...(description.length === 0 ? {} : { description: description.join('\n\n') }),
      ...{ pros, cons },
      ...(effort.length === 0 ? {} : { effortEstimate: effort.join(' ') }),
    }),
  );
}

/** `Pros`, `**Cons:** slow`. Null without a label, and for a line with two. */
function labelled(text: string): { readonly part: Part; readonly rest: string } | null {
  const [, label = '', rest = ''] = /^[*_]*([a-z ]{1,30})[*_]*(?::[*_]*\s*(.*))?$/is.exec(text.trim()) ?? [];
  const part = parts.find((one) => one !== 'description' && labels[one].test(label.trim()));
  return part === undefined || /\b(?:pros?|cons?)\W*:/i.test(rest) ? null : { part, rest };
}

function draftOf(name: string): Draft {
  return { name, description: [], pros: [], cons: [], effort: [] };
}

/** The headings of the highest rank are the names. */
function headed(markdown: Markdown, named: readonly Heading[]): Draft[] {
  const depth = Math.min(...named.map((heading) => heading.depth));
  const names = named.filter((heading) => heading.depth === depth);
  return names.flatMap((heading, index) => {
    const from = markdown.blocks.indexOf(heading);
    const next = names[index + 1];
    const draft = draftOf(plainText(heading));
    take(markdown, draft, markdown.blocks.slice(from + 1, next && markdown.blocks.indexOf(next)));
    return draft.name === '' ? [] : [draft];
  });
}

function listedAlternatives(markdown: Markdown): Draft[] {
  const items = markdown.blocks.flatMap((block) => (block.type === 'list' ? block.children : []));
  return items.flatMap((item) => {
    const [, name = '', description = ''] = /^([^:\n]{1,300}):[*_]*\s+(.*)$/s.exec(textOf(markdown, item)) ?? [];
    const draft = draftOf(plainText({ value: name.replace(/^[*_]+/, '') }));
    if (draft.name === '' || labelled(name)) return [];
    draft.description.push(description);
    take(markdown, draft, item.children.slice(1));
    return [draft];
  });
}

function textOf({ source }: Markdown, { children: [first] }: ListItem): string {
  return first?.type === 'paragraph' ? source(first).trim() : '';
}

/** A label applies to its own text and to the lists after it. */
function take(markdown: Markdown, to: Draft, blocks: readonly Block[]): void {
  let part: Part = 'description';
  for (const block of blocks) {
    const text = markdown.source(block).trim();
    const label = block.type === 'heading' ? labelled(plainText(block)) : labelled(text);
    if (
      block.type === 'list' &&
      (part !== 'description' || block.children.some((one) => labelled(textOf(markdown, one))))
    )
      for (const item of block.children) takePoint(markdown, to, item, part);
    else if (label) {
      part = label.part;
      if (label.rest !== '') to[part].push(label.rest);
    } else {
      part = 'description';
      to.description.push(text);
    }
  }
}

function takePoint(markdown: Markdown, to: Draft, item: ListItem, part: Part): void {
  const label = labelled(textOf(markdown, item));
  if (label?.rest === '') {
    for (const block of item.children)
      if (block.type === 'list') for (const inner of block.children) takePoint(markdown, to, inner, label.part);
  } else if (label) to[label.part].push(label.rest);
  else to[part].push(item.children.map((block) => markdown.source(block).trim()).join('\n\n'));
}
