/** What models of pages need to know of the program that shows them, and their texts. */
import * as l10n from '@vscode/l10n';
import { isThisMachine } from '../../core/kit/quickChecks.ts';
import { defaultMaxIterations } from '../../core/rfc/review.ts';

export type Texts = Readonly<Record<string, string | { message: string; comment: string[] }>>;

/** What the models of pages need to know of the program that shows them. */
export interface Program {
  /** The language of its texts: a BCP 47 tag. */
  readonly language: string;
  /** Translations into it, by the English text; absent where there are none. */
  readonly texts?: Texts | undefined;
  /** The name of another machine on which it works, where a person sits at this one. */
  readonly remoteName: string | undefined;
  /** A folder that is not trusted can be read; nothing is decided in it, and nothing of it runs. */
  readonly isTrusted: boolean;
  /** The most reviews of an RFC by a model, over all revisions. A mere setting: a model's answers decide nothing. */
  readonly reviewsAtMost: number;
}

let current: Program = {
  language: 'en',
  remoteName: undefined,
  isTrusted: true,
  get reviewsAtMost() {
    return defaultMaxIterations;
  },
};

/** Says once, when a program starts, what it is; its getters may change. */
export function runIn(program: Program): void {
  current = program;
  if (program.texts) l10n.config({ contents: program.texts });
}

export const program = (): Program => current;

/** For the HTML of pages, whose scripts translate too (webview/shared/strings.ts): data, which runs nothing. */
export function pageTexts({ texts }: Pick<Program, 'texts'> = current): string {
  if (!texts) return '';
  return `<script type="application/json" id="texts">${JSON.stringify(texts).replaceAll('<', '\\u003c')}</script>`;
}

/** Whether it works on another machine: VS Code's server on this one is remote only by its address. */
export function isOnOtherMachine(): boolean {
  const { remoteName } = current;
  return remoteName !== undefined && !isThisMachine(remoteName.replace(/:\d+$/, ''));
}
