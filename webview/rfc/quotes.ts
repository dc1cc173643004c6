/** Finds quoted words in the text, ignoring white space and Markdown syntax. */

const ignored = /[\s*_`~#>]/g;

interface Place {
  readonly node: Text;
  readonly offset: number;
}

/** The range of a quotation in a text; undefined if the text no longer contains it. */
export function findQuote(root: Node, quote: string): Range | undefined {
  const wanted = quote.replace(ignored, '');
  if (wanted === '') return undefined;
  const places: Place[] = [];
  let text = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { data } = node as Text;
    for (let offset = 0; offset < data.length; offset++) {
      if (data.charAt(offset).replace(ignored, '') === '') continue;
      text += data.charAt(offset);
      places.push({ node: node as Text, offset });
    }
  }
  const at = text.indexOf(wanted);
  const [start, end] = [places[at], places[at + wanted.length - 1]];
  if (at < 0 || !start || !end) return undefined;
  const range = document.createRange();
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset + 1);
  return range;
}

/** The parts that can have their own comments, as quotations: paragraphs, lists, tables and code, in order. */
export function blockQuotes(text: Element): string[] {
  return [...text.children].map(quoteOfBlock).filter((quote) => quote !== '');
}

/** The text of a block; for a diagram, its code. */
export function quoteOfBlock(block: Element): string {
  return quoteOf((block.matches('.diagram') ? block.querySelector('pre') : block)?.textContent ?? '');
}

/** The form in which a comment quotes a text. */
export function quoteOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > longest ? line.slice(0, longest) : line;
}

const longest = 500;
