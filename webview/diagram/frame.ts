/**
 * The program inside the sandboxed frame that draws one diagram (see shared/codeBlocks.ts). The text comes from an agent:
 * whatever it makes Mermaid do happens here, without an origin, a network, or a way to be clicked. Only sizes leave.
 */
import DOMPurify from 'dompurify';
import mermaid from 'mermaid';

// What a page and the frame of a diagram say to each other.

export interface DiagramOrder {
  readonly text: string;
  readonly dark: boolean;
  readonly font: { readonly family: string; readonly size: number };
  readonly colours: {
    readonly background: string;
    readonly foreground: string;
    readonly line: string;
    readonly raised: string;
    readonly accent: string;
  };
}

/** From the frame, which may send anything: a page checks it. */
export type DiagramReply =
  | { readonly type: 'ready' }
  | { readonly type: 'drawn'; readonly width: number; readonly height: number }
  | { readonly type: 'failed' };

/** The policy of the frame allows only styles with this nonce, and those that a script sets. */
const nonce = (document.currentScript as HTMLScriptElement | null)?.nonce ?? '';

const id = 'diagram';

allowStyles();
addEventListener('message', ({ data, source }: MessageEvent<DiagramOrder>) => {
  if (source === parent) void draw(data).then(reply);
});
reply({ type: 'ready' });

function reply(message: DiagramReply): void {
  parent.postMessage(message, '*');
}

async function draw({ text, colours, font, dark }: DiagramOrder): Promise<DiagramReply> {
  document.body.style.background = colours.background;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    // An author's directives change nothing.
    secure,
    htmlLabels: false,
    layout: 'dagre',
    look: 'classic',
    maxTextSize: 100_000,
    fontFamily: font.family,
    fontSize: font.size,
    theme: 'base',
    themeVariables: variables(colours, font, dark),
    ...natural,
  });
  const canvas = document.createElement('div');
  document.body.replaceChildren(canvas);
  const records: MutationRecord[] = [];
  const removals = new MutationObserver((some) => records.push(...some));
  removals.observe(canvas, { childList: true });
  try {
    await mermaid.render(id, text, canvas);
    const drawing = safe(drawnIn([...records, ...removals.takeRecords()]));
    const { width, height } = drawing.viewBox.baseVal;
    drawing.setAttribute('width', String(width));
    drawing.setAttribute('height', String(height));
    document.body.replaceChildren(drawing);
    return { type: 'drawn', width, height };
  } catch {
    document.body.replaceChildren();
    return { type: 'failed' };
  }
}

/** The drawing, which Mermaid has just removed: from its markup, the policy would not accept the styles. */
function drawnIn(records: readonly MutationRecord[]): SVGSVGElement {
  const drawn = records
    .flatMap(({ removedNodes }) => [...removedNodes])
    .map((node) => (node as Element).querySelector('svg'))
    .find((svg) => svg !== null);
  if (!drawn) throw new TypeError();
  return drawn;
}

const secure = [
  ...['secure', 'securityLevel', 'startOnLoad', 'suppressErrorRendering', 'maxTextSize', 'maxEdges', 'logLevel'],
  ...['htmlLabels', 'layout', 'look', 'fontFamily', 'altFontFamily', 'fontSize', 'theme', 'themeVariables', 'themeCSS'],
  ...[
    'flowchart',
    'sequence',
    'state',
    'class',
    'er',
    'gantt',
    'dompurifyConfig',
    'darkMode',
    'elk',
    'wrap',
    'markdownAutoWrap',
  ],
  ...['forceLegacyMathML', 'legacyMathML', 'arrowMarkerAbsolute', 'handDrawnSeed', 'deterministicIds'],
];

/** Drawn as large as its words are elsewhere on the page: a wide diagram scrolls. */
const natural = Object.fromEntries(
  ['flowchart', 'sequence', 'state', 'class', 'er', 'gantt'].map((kind) => [
    kind,
    { useMaxWidth: false, htmlLabels: false, ...(kind === 'gantt' ? { useWidth: 900 } : {}) },
  ]),
);

/** Without links, HTML, images and scripts. Mermaid's rules stay: the policy lets them load nothing. */
function safe(drawing: SVGSVGElement): SVGSVGElement {
  const styles = [...drawing.querySelectorAll('style')];
  for (const style of styles) style.remove();
  DOMPurify.sanitize(drawing, {
    IN_PLACE: true,
    USE_PROFILES: { svg: true, svgFilters: true },
    FORBID_TAGS: ['a', 'image', 'foreignObject', 'use', 'feImage', 'style'],
    FORBID_ATTR: ['href', 'xlink:href'],
  });
  drawing.prepend(...styles);
  return drawing;
}

function allowStyles(): void {
  Element.prototype.setAttribute = function (this: Element, name: string, value: string): void {
    if (name === 'style') (this as HTMLElement | SVGElement).style.cssText = value;
    else Element.prototype.setAttributeNS.call(this, null, name, value);
  };
  const markup = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...markup,
    get(this: Element): unknown {
      return this.id === `d${id}` ? '' : (markup?.get?.call(this) as unknown);
    },
    set(this: Element, value: string) {
      if (this instanceof HTMLStyleElement) this.nonce = nonce;
      markup?.set?.call(this, value);
    },
  });
}

function variables(
  { background, foreground, line, raised, accent }: DiagramOrder['colours'],
  font: DiagramOrder['font'],
  dark: boolean,
): Record<string, string | boolean> {
  return {
    darkMode: dark,
    background,
    fontFamily: font.family,
    fontSize: `${String(font.size)}px`,
    primaryColor: raised,
    primaryTextColor: foreground,
    primaryBorderColor: line,
    secondaryColor: raised,
    tertiaryColor: background,
    lineColor: foreground,
    textColor: foreground,
    noteBkgColor: background,
    noteTextColor: foreground,
    noteBorderColor: accent,
    edgeLabelBackground: background,
    clusterBkg: background,
    clusterBorder: line,
    rowOdd: background,
    rowEven: raised,
    sectionBkgColor: background,
    sectionBkgColor2: background,
    altSectionBkgColor: raised,
    titleColor: foreground,
    gridColor: line,
    taskBkgColor: raised,
    taskBorderColor: line,
    taskTextColor: foreground,
    taskTextLightColor: foreground,
    taskTextDarkColor: foreground,
    taskTextOutsideColor: foreground,
    activeTaskBkgColor: raised,
    activeTaskBorderColor: accent,
    doneTaskBkgColor: background,
    doneTaskBorderColor: line,
    critBkgColor: raised,
    critBorderColor: foreground,
    todayLineColor: accent,
  };
}
