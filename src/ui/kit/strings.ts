/** The start of every snapshot for a webview, and the texts of webviews in the editor's language. */
import * as l10n from '@vscode/l10n';
import { english } from '../../protocol/strings/strings.ts';
import { isOnOtherMachine, program } from './program.ts';

type Strings = Readonly<Record<string, string>>;

export function snapshotHead(): { type: 'snapshot'; now: string; locale: string } {
  return { type: 'snapshot', now: new Date().toISOString(), locale: program().language };
}

let translated: Strings | undefined;

/**
 * The same object until a text changes. Translators see each text by its key: one English word may need two
 * translations.
 */
export function strings(): Strings {
  translated ??= translate();
  return translated;
}

function translate(): Strings {
  const texts: Strings = Object.fromEntries(
    Object.entries(english).map(([key, message]) => [key, l10n.t({ message, comment: [key] })]),
  );
  // The first name field says where the key is.
  return isOnOtherMachine() ? { ...texts, 'answer.nameHint': texts['answer.nameHintRemote'] ?? '' } : texts;
}

export interface TextsOfPage {
  /** The page has just started, without texts. */
  begin(): void;
  /** To send with a snapshot: the texts that the page does not have, or nothing. They are many times its size. */
  news(): { readonly strings?: Strings };
}

export function createTextsOfPage(current: () => Strings = strings): TextsOfPage {
  let sent: Strings | undefined;
  return {
    begin() {
      sent = undefined;
    },
    news() {
      const now = current();
      if (now === sent) return {};
      sent = now;
      return { strings: now };
    },
  };
}
