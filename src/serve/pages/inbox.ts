/** The list of waiting items: the rows of the editor's tree. */
import { plainText, firstLine } from '../../core/kit/text.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { InboxRow, InboxSnapshot } from '../../ui/kit/view.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { leadOf } from '../../ui/tree/alikeRows.ts';
import { listRow } from '../../ui/tree/items.ts';
import { atWork, rootNodes, waitingOf, type Node } from '../../ui/tree/nodes.ts';
import { inTurn, inTurns } from '../../ui/kit/timing.ts';

export async function inboxOf(folders: Folders): Promise<InboxSnapshot> {
  const { nodes } = await rootNodes(folders, { group: 'none' }, () => Promise.resolve(null));
  const alone = nodes.filter((node) => !('nodes' in node));
  const groups = [
    { label: '', rows: alone.flatMap((node) => rowOf(folders, node)) },
    ...nodes.flatMap((node) => ('nodes' in node ? [groupOf(folders, node)] : [])),
  ];
  const working = atWork(folders);
  const [folder] = folders.all;
  const count = waitingOf(folders);
  return {
    now: new Date().toISOString(),
    name: visibleText(folder?.name ?? ''),
    count,
    groups: groups.filter(({ rows }) => rows.length > 0),
    ...(count === 0 && working !== null ? { working: visibleText(working) } : {}),
  };
}

function groupOf(folders: Folders, node: Extract<Node, { nodes: readonly Node[] }>) {
  return {
    label: listRow(folders, node).label,
    rows: node.nodes.flatMap((one) => rowOf(folders, one)),
  };
}

function rowOf(folders: Folders, node: Node): InboxRow[] {
  const path = pathOf(node);
  if (path === null) return [];
  const { label, description = '', spoken, icon } = listRow(folders, node);
  const text = textOf(node) ?? label;
  return [
    {
      path,
      label: text,
      description,
      spoken: spoken ?? text,
      icon: icon?.id ?? 'comment',
      tone: toneOf(icon?.color),
    },
  ];
}

function textOf(node: Node): string | null {
  switch (node.kind) {
    case 'question':
      return lineOf(node.question.text);
    case 'rfc':
      return lineOf(node.rfc.title);
    case 'request':
      return lineOf(node.request.subject);
    default:
      return null;
  }
}

function lineOf(text: string): string {
  return visibleText(firstLine(plainText(text), 200));
}

function toneOf(colour: string | undefined): InboxRow['tone'] {
  if (colour === 'errorForeground') return 'critical';
  return colour === 'list.warningForeground' ? 'high' : 'rest';
}

/** Null for rows that only the editor can open. */
function pathOf(node: Node): string | null {
  switch (node.kind) {
    case 'question':
      return `/open/${node.question.id}`;
    case 'alike':
      return `/together/${leadOf(node)}`;
    case 'rfc':
      return `/open/${node.rfc.id}`;
    case 'request':
      return `/open/${node.request.id}`;
    case 'proposal':
      return '/briefing';
    case 'unknown':
      return '/';
    default:
      return null;
  }
}

// Draws the list once for all browsers, when something has changed, and sends it to each in a turn of its own.

/** Groups bursts of records. Milliseconds. */
const burstMs = 100;
/** Relative times age. Milliseconds. */
const ageMs = 30_000;

/** @param snapshot as JSON */
type Listener = (snapshot: string) => void;

export type InboxFeed = ReturnType<typeof inboxFeed>;

export function inboxFeed(folders: Folders) {
  const sending = inTurns();
  let followers = 0;
  let timer: NodeJS.Timeout | undefined;
  let last: { readonly text: string; readonly json: string } | undefined;

  const draw = inTurn(async () => {
    timer = undefined;
    if (followers === 0) return;
    const snapshot = await inboxOf(folders);
    const text = JSON.stringify({ ...snapshot, now: '' });
    if (text === last?.text) return;
    last = { text, json: JSON.stringify(snapshot) };
    sending.fire();
  });
  const soon = () => {
    timer ??= setTimeout(() => void draw(), burstMs);
  };
  const changes = folders.onDidChange(soon);
  const aging = setInterval(soon, ageMs).unref();
  return {
    /** @returns stops */
    follow(listener: Listener): () => void {
      followers += 1;
      const following = sending.event(() => {
        if (last) listener(last.json);
      });
      if (last) listener(last.json);
      soon();
      return () => {
        followers -= 1;
        following.dispose();
      };
    },
    dispose() {
      changes.dispose();
      clearInterval(aging);
      clearTimeout(timer);
      sending.dispose();
    },
  };
}
