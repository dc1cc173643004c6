/** The page's one state: the host's latest snapshot, and the open plan. Renders nothing, writes nothing. */
import type { SetupHost, SetupMessage } from '../../src/ui/setup/messages.ts';
import type { SetupSnapshot } from '../../src/ui/setup/model.ts';
import type { Host } from '../shared/vscode.ts';

/** The open plan: what a button would write. */
export interface Open {
  readonly host: SetupHost;
  readonly act: 'add' | 'remove';
}

export type Page = ReturnType<typeof createPage>;

export function createPage({ host, changed }: { host: Host<SetupMessage, never>; changed: () => void }) {
  let snapshot: SetupSnapshot | undefined;
  let open: Open | undefined;
  let focus: string | undefined;

  return {
    begin: (): void => {
      host.post({ type: 'ready' });
    },
    receive: (next: SetupSnapshot): void => {
      const done = next.notice?.kind === 'done' && next.notice.text !== snapshot?.notice?.text;
      snapshot = next;
      if (done) {
        focus = '[data-focus="notice"]';
        open = undefined;
      }
      changed();
    },
    snapshot: () => snapshot,
    dispatch: (message: SetupMessage): void => {
      host.post(message);
    },
    open: () => open,
    show: (next: Open | undefined): void => {
      focus = next
        ? `[data-plan="${next.host}"]`
        : open
          ? `[data-host="${open.host}"] [data-act="${open.act}"]`
          : undefined;
      open = next;
      changed();
    },
    takeFocus: (): string | undefined => {
      const place = focus;
      focus = undefined;
      return place;
    },
  };
}
