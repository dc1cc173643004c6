/** What a page and the frame of a diagram say to each other. */

/** To the frame: a diagram's text, and the looks of the page around it. */
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
