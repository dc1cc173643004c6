/** What the host might send to "Set up agents". */
import type { SetupPlan, SetupRowView, SetupSnapshot, SetupView } from '../../../src/ui/setup/model.ts';
import { before, noFolder, now, twoFolders } from '../question/samples.ts';

const nothing: SetupPlan = { type: 'nothing' };

const command =
  "'/home/dev/.local/state/holdpoint/bin/holdpoint' hook claude-code --workspace '/home/dev/shop' || { [ $? -eq 2 ] || echo 'Holdpoint cannot tell whether this may continue, so it is denied.' >&2; exit 2; }";

const line = (type: 'added' | 'removed') => (text: string) => ({ type, pieces: [{ text, changed: false }] });
const plus = line('added');
const minus = line('removed');

export const added: SetupPlan = {
  type: 'changes',
  shown: 'a1',
  files: [
    {
      file: '.claude/settings.local.json',
      what: 'changed',
      rows: [
        { type: 'gap', lines: 12 },
        { type: 'same', text: '  // mine' },
        minus('  "model": "opus"'),
        plus('  "model": "opus",'),
        plus('  "hooks": {'),
        plus(`    "command": ${JSON.stringify(command)}`),
        plus('  }'),
        { type: 'same', text: '}' },
      ],
    },
    {
      file: '.mcp.json',
      real: '/home/dev/dotfiles/mcp.json',
      what: 'new',
      rows: [plus('{}')],
    },
  ],
};

const taken: SetupPlan = {
  type: 'changes',
  shown: 'r1',
  files: [{ file: '.github/hooks/holdpoint.json', what: 'removed', rows: [minus('{ "version": 1 }')] }],
};

const row = (host: SetupRowView['host'], title: string, more: Partial<SetupRowView>): SetupRowView => ({
  host,
  title,
  verdict: 'off',
  reasons: [],
  add: added,
  remove: nothing,
  ...more,
});

/** The time of the last check, which denied a canary. */
const denied = before(3);

/** Stopped by rules that no user of the machine can edit. */
const managed: Partial<SetupRowView> = { verdict: 'enforced', by: 'administrator', denied };

export const hosts: SetupRowView[] = [
  row('vscode', 'VS Code', {
    verdict: 'enforced',
    found: '/home/dev/shop/.vscode',
    denied,
    output: `exit 2\n{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"${'Q-1 holds held.txt. '.repeat(60)}"}}`,
    add: nothing,
    remove: taken,
  }),
  row('claude-code', 'Claude Code', { found: '/home/dev/.claude' }),
  row('copilot-cli', 'Copilot CLI', {
    verdict: 'broken',
    reasons: ['An edit to a held file was not denied.'],
    output: 'exit 0\n{"permissionDecision":"ask","permissionDecisionReason":"The hook of another program answered."}',
    remove: taken,
  }),
  row('codex', 'Codex', {
    verdict: 'advisory',
    reasons: ['Codex reads the hooks of /home/dev/shop only after you have trusted that folder in Codex.'],
    denied,
    add: nothing,
    remove: taken,
  }),
  row('opencode', 'opencode', {
    add: {
      type: 'problem',
      text: '/home/dev/shop/opencode.json is not valid JSON at line 2, column 3. Fix it, then set up again; nothing was written.',
    },
  }),
  row('git', 'git', {
    verdict: 'advisory',
    reasons: ['Can be bypassed with git commit --no-verify'],
    denied,
    add: nothing,
    remove: taken,
  }),
];

export function snapshot(changes: Partial<SetupView> = {}, notice?: SetupSnapshot['notice']): SetupSnapshot {
  return {
    type: 'snapshot',
    now,
    view: {
      type: 'setup',
      folders: [],
      folder: '0/x',
      render: 'n1',
      checking: false,
      hosts,
      found: { hosts: ['claude-code'], add: added },
      ...changes,
    },
    ...(notice ? { notice } : {}),
  };
}

export const states: Readonly<Record<string, () => SetupSnapshot>> = {
  all: () => snapshot(),
  first: () => {
    const view = snapshot({ checking: true }).view as SetupView;
    return {
      ...snapshot(),
      view: {
        ...view,
        hosts: hosts.map(({ denied: _, ...one }) => ({
          ...one,
          verdict: 'off',
          reasons: [],
          add: added,
          remove: nothing,
        })),
        found: { hosts: ['vscode', 'claude-code'], add: added },
      },
    };
  },
  managed: () =>
    snapshot({
      hosts: hosts.map((one) =>
        one.host === 'claude-code' || one.host === 'copilot-cli' || one.host === 'codex' ? { ...one, ...managed } : one,
      ),
    }),
  done: () => snapshot({}, { kind: 'done', text: 'Connected: Claude Code.' }),
  failed: () =>
    snapshot(
      {},
      { kind: 'error', text: 'The files have changed since this was shown. Nothing was written; check again.' },
    ),
  partly: () =>
    snapshot({}, { kind: 'error', text: 'Claude Code failed: its folder is read-only. Connected: VS Code, Codex.' }),
  folders: () =>
    snapshot({
      folders: twoFolders,
    }),
  none: () => ({
    ...snapshot(),
    view: noFolder,
  }),
};
