/** Where the words of a remark stand in the text: white space and the marks of Markdown make no difference. */

const ignored = /[\s*_`~#>]/g;

interface Place {
  readonly node: Text;
  readonly offset: number;
}

/** The words of a quotation in a text; undefined where they are not there any more. */
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

/** What can be commented on by itself: the paragraphs, lists, tables and code of a text, in its order, as quoted. */
export function blockQuotes(text: Element): string[] {
  return [...text.children].map(quoteOfBlock).filter((quote) => quote !== '');
}

/** The words of the document: of a diagram, its code. */
export function quoteOfBlock(block: Element): string {
  return quoteOf((block.matches('.diagram') ? block.querySelector('pre') : block)?.textContent ?? '');
}

/** As a remark quotes it. */
export function quoteOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > longest ? line.slice(0, longest) : line;
}

const longest = 500;
