/**
 * The editor's side of a surface, in a browser: drafts are kept in its storage, texts go to its clipboard, and all other
 * messages to the server.
 */
import type { PageFacts } from '../../src/ui/kit/view.ts';

export interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export interface ApiOptions {
  readonly facts: PageFacts;
  readonly post: (message: unknown) => void;
  /** Says something for a moment. */
  readonly say: (what: 'copied' | { readonly path: string }) => void;
}

interface Message {
  readonly type: string;
  readonly key?: string;
  readonly text?: string;
  readonly path?: string;
}

export function createApi({ facts, post, say }: ApiOptions): EditorApi {
  const name = `holdpoint.${facts.surface ?? ''}.${facts.store}`;
  const copy = (text: string) => {
    void navigator.clipboard.writeText(text).then(() => {
      say('copied');
    });
  };
  return {
    getState: () => {
      const kept = localStorage.getItem(name);
      return kept === null ? undefined : (JSON.parse(kept) as unknown);
    },
    setState: (state) => {
      localStorage.setItem(name, JSON.stringify(state));
    },
    postMessage(raw) {
      const message = raw as Message;
      switch (message.type) {
        case 'keep':
          return; // kept above
        case 'copyText':
          copy(message.text ?? '');
          return;
        case 'copyLink':
          copy(`${location.origin}/open/${message.key?.replace(/^0\//, '') ?? ''}`);
          return;
        case 'openFile':
        case 'openEvidence':
          say({ path: message.path ?? '' });
          return;
        case 'do':
          location.reload();
          return;
        default:
          post(raw);
      }
    },
  };
}
