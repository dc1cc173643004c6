/**
 * Notes how held files are when a hold begins or grows. Any program does it that sees such a hold first: the one that
 * raised the question or proposed the RFC, else the editor or a hook.
 */
import { fileScopes, openHolder, openHolders } from '../../core/hold/holds.ts';
import type { RecordOf } from '../../core/records/records.ts';
import { noHeldFiles, ofCopy } from '../../core/state/heldChanges.ts';
import type { CurrentState } from '../../core/state/state.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { HoldToNote, WrittenBaseline } from '../workspace/workspace.ts';
import type { Answering } from '../workspace/atGate.ts';
import { copyOf, isHere, nameCopy, removeBaselines, writeBaselines } from './baseline.ts';

const system = { kind: 'system', id: 'baseline' } as const;

/** A question or RFC whose held files have no baseline yet. */
interface Due extends HoldToNote {
  /** Its baseline's next part. */
  readonly part: number;
}

/** The newest first. */
function dueIn(workspace: Answering, state: CurrentState): Due[] {
  const copy = copyOf(workspace, state);
  const all = openHolders(state).flatMap((holder) => dueOf(state, { id: holder.id, copy }, holder) ?? []);
  return all.filter(({ asker }) => copy === undefined || isHere(workspace, asker.worktree ?? '.')).toReversed();
}

interface Copied {
  readonly id: string;
  /** Null: a copy without a name, which has no baselines. */
  readonly copy: string | null | undefined;
}

function dueOf(state: CurrentState, { id, copy }: Copied, holder = openHolder(state, id)): Due | null {
  if (holder === null) return null;
  const scopes = fileScopes(state, holder);
  if (scopes.length === 0) return null;
  const known = copy === null ? undefined : state.heldFiles.get(id);
  const { baselines } = known ? ofCopy(known, copy ?? undefined) : noHeldFiles;
  if (baselines.at(-1)?.scopes === hashOf(scopes)) return null;
  return { id, asker: holder.asker, scopes, part: baselines.length + 1 };
}

/** So many share a commit, and are taken before other work continues. */
export const baselinesAtOnce = 200;

/**
 * Takes missing baselines, those of the newest holds first.
 * @param atMost about how many; default: all
 * @returns whether any was taken. Never throws: a change without a baseline is not detected, and what is held stays held.
 */
export async function takeBaselines(workspace: Answering, atMost = Infinity): Promise<boolean> {
  const { mayWrite = () => true } = workspace.options;
  if (!mayWrite()) return false;
  let taken = 0;
  try {
    removeUnneeded(workspace);
    const due = dueNow(workspace);
    for (let at = 0; at < due.length && taken < atMost; at += baselinesAtOnce) {
      const count = await takeSome(workspace, due.slice(at, at + baselinesAtOnce).toReversed());
      // They cannot be recorded, or another program takes them.
      if (count === 0) break;
      taken += count;
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
  return taken > 0;
}

/** How much was held when this program last removed baselines. */
const heldThen = new WeakMap<object, number>();

/** Looks at all of them, so only when this program has not, or when less is held than before. */
function removeUnneeded(workspace: Answering): void {
  const { options, location } = workspace;
  const { state: now } = workspace.current();
  const held = now === null ? 0 : now.holders.size + now.heldFiles.size;
  const isLess = held < (heldThen.get(workspace) ?? Infinity);
  heldThen.set(workspace, held);
  if (!isLess) return;
  removeBaselines({ fs: options.fs, root: location.root }, () => {
    const { state } = workspace.current();
    return state && ((id) => state.heldFiles.has(id) || openHolder(state, id) !== null);
  });
}

/** The holders without a baseline, the newest first. */
function dueNow(workspace: Answering): readonly Due[] {
  const { state } = workspace.current();
  if (!state) return [];
  const due = dueIn(workspace, state);
  return due.length > 0 && nameCopy(workspace, state) ? dueIn(workspace, state) : due;
}

/** Returns how many were recorded: none where the store cannot be written, or where other programs were first. */
async function takeSome(workspace: Answering, due: readonly Due[]): Promise<number> {
  const store = await workspace.store();
  if (store.problem || store.readOnly) return 0;
  const copy = copyOf(workspace, store.read().state);
  if (copy === null) return 0;
  const written = await write(workspace, due);
  const taken = due.flatMap(({ id, scopes, part }, at): RecordOf<'hold.baselineTaken'>[] => {
    const baseline = written[at];
    if (!baseline) return [];
    const { hash, files } = baseline;
    const record = { kind: 'hold.baselineTaken', v: 1, id, part, hash, scopes: hashOf(scopes), files } as const;
    return [copy === undefined ? record : { ...record, copy }];
  });
  return store.transact(system, ({ state }) => {
    const needed = taken.filter((one) => isNeeded(state, one));
    return { records: needed, result: needed.length };
  });
}

/** Here, too, where the thread for it fails: without a baseline, changes go unseen. */
async function write(workspace: Answering, due: readonly Due[]): Promise<readonly WrittenBaseline[]> {
  const holds = due.map(({ id, asker: { worktree }, scopes }) => ({ id, asker: { worktree }, scopes }));
  const beside = await workspace.options.baselinesBeside?.(holds).catch(() => null);
  return beside ?? writeBaselines(workspace, holds);
}

/** Another program may have been first. */
function isNeeded(state: CurrentState, { id, part, scopes, copy }: RecordOf<'hold.baselineTaken'>): boolean {
  const due = dueOf(state, { id, copy });
  return due?.part === part && hashOf(due.scopes) === scopes;
}
