/** Shows "copied" briefly beside the copied text. */
import { t } from './strings.ts';

export interface CopiedOptions {
  readonly later: (ms: number, run: () => void) => void;
  readonly changed: () => void;
  readonly say: (text: string) => void;
}

const shownMs = 2_000;

export function createCopied<What extends string>({ later, changed, say }: CopiedOptions) {
  let copied: What | undefined;
  return {
    copied: (): What | undefined => copied,
    show(what: What): void {
      copied = what;
      say(t('copied'));
      later(shownMs, () => {
        copied = undefined;
        changed();
      });
      changed();
    },
    forget(): void {
      copied = undefined;
    },
  };
}
