/** Colours code. Loaded when the first block of a known language scrolls into view: see `codeBlocks.ts`. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = { bash, cpp, csharp, css, diff, go, ini, java, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(['javascript', 'js', 'jsx', 'mjs', 'cjs'], { languageName: 'typescript' });
hljs.registerAliases(['console'], { languageName: 'bash' });

/** The library's token names and ours, one for each colour. */
const kinds: Readonly<Record<string, string>> = {
  'hljs-keyword': 'keyword',
  'hljs-built_in': 'type',
  'hljs-type': 'type',
  'hljs-literal': 'keyword',
  'hljs-number': 'number',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-symbol': 'string',
  'hljs-comment': 'comment',
  'hljs-meta': 'comment',
  'hljs-title': 'name',
  'hljs-section': 'name',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-name': 'type',
  'hljs-selector-class': 'name',
  'hljs-selector-tag': 'type',
  'hljs-addition': 'added',
  'hljs-deletion': 'removed',
};

/**
 * The code with its tokens marked; empty for an unknown language. The library returns HTML, which is only parsed,
 * in an inert document, and rebuilt from its text and known classes.
 */
export function highlightCode(code: string, language: string): Node[] | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  const inert = document.createElement('template');
  inert.innerHTML = hljs.highlight(code, { language, ignoreIllegals: true }).value;
  return inert.content.textContent === code ? [...inert.content.childNodes].map(rebuildNode) : undefined;
}

function rebuildNode(node: Node): Node {
  const text = node.textContent ?? '';
  if (!(node instanceof HTMLElement)) return document.createTextNode(text);
  const span = document.createElement('span');
  const kind = kinds[node.classList.item(0) ?? ''];
  if (kind !== undefined) span.className = `code-${kind}`;
  span.append(...[...node.childNodes].map(rebuildNode));
  return span;
}
