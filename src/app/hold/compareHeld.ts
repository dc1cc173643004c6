/**
 * Which held files differ from their baseline. Files are read only where their size, times or inode differ, and each name
 * is looked at once, however many questions hold it.
 */
import path from 'node:path';
import { fileScopes, openHolder } from '../../core/hold/holds.ts';
import { globHolds, isPath } from '../../core/kit/paths.ts';
import { heldChangesAtMost, type Baseline, type HeldFiles } from '../../core/state/heldChanges.ts';
import type { CurrentState } from '../../core/state/state.ts';
import type { Answering } from '../workspace/atGate.ts';
import {
  contentOf,
  hasContents,
  readBaseline,
  unreadableHash,
  type BaselineFile,
  type BaselinePart,
  type BaselinePlace,
  placeOf,
} from './baseline.ts';
import { copyOf, ownFiles } from './copy.ts';
import { diskOf, heldOnDisk, type FileMark, type HeldOnDisk, type Place } from './heldOnDisk.ts';

/** A held file that is not as in its baseline, nor as a human accepted it. */
export interface Difference {
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** When it changed. Milliseconds since the epoch; null if that cannot be told. */
  readonly changedAt: number | null;
}

/** What a look found about one question or RFC. */
export interface Found {
  readonly id: string;
  readonly differences: readonly Difference[];
  readonly restored: readonly string[];
  /** The baseline cannot be used, or more changed than is kept. */
  readonly lost: boolean;
  /** The globs of files that there was no time to compare. */
  readonly late?: readonly string[];
}

/** A file changed so shortly before its baseline was taken may change again without a new time. Milliseconds. */
const racyMs = 50;

interface Comparison {
  readonly ids: Iterable<string>;
  /** Whether the caller has no more time. */
  readonly isLate?: (() => boolean) | undefined;
}

/**
 * Compares the held files of these questions and RFCs, as far as they are open and have a baseline. Returns those with
 * something to tell, and writes nothing.
 */
export function compareHeld(
  workspace: Answering,
  state: CurrentState,
  { ids, isLate = () => false }: Comparison,
): Found[] {
  const copy = copyOf(workspace, state);
  const kept = { fs: workspace.options.fs, root: workspace.location.root };
  const onDisk = lookOnce(workspace);
  const found: Found[] = [];
  for (const id of ids) {
    const holder = openHolder(state, id);
    if (!holder) continue;
    const place = placeOf(workspace, holder);
    const known = ownFiles(state, id, copy);
    if (!known || known.baselines.length === 0) continue;
    if (isLate()) {
      found.push({ id, differences: [], restored: [], lost: false, late: fileScopes(state, holder) });
      continue;
    }
    const one = compareOne({ id, known, place, kept, onDisk, scopes: () => fileScopes(state, holder) });
    if (one.lost || one.differences.length + one.restored.length > 0) found.push(one);
  }
  return found;
}

/** Reads the held files once for all questions that hold the same ones, such as those of one work item. */
type Looking = (place: Place, scopes: readonly string[]) => HeldOnDisk;

function lookOnce({ options }: Answering): Looking {
  const disk = diskOf(options.fs);
  const known = new Map<string, HeldOnDisk>();
  return (place, scopes) => {
    const key = [place.folder, ...scopes].join('\0');
    const found = known.get(key) ?? heldOnDisk(place, scopes, disk);
    known.set(key, found);
    return found;
  };
}

/** Whether all of a baseline is there: without its contents, nothing can be restored. */
export function isWhole(
  { options: { fs }, location: { root } }: Answering,
  id: string,
  baselines: readonly Baseline[],
): boolean {
  const parts = readBaseline({ fs, root }, id, baselines);
  return parts?.every((part) => hasContents({ fs, root }, id, part)) === true;
}

interface Compared {
  readonly id: string;
  readonly known: HeldFiles;
  readonly place: Place;
  readonly kept: BaselinePlace;
  readonly onDisk: Looking;
  /** What is held now: its baselines are also about what a human has released since. */
  readonly scopes: () => ReturnType<typeof fileScopes>;
}

function compareOne({ id, known, place, kept, onDisk, scopes }: Compared): Found {
  const lost = { id, differences: [], restored: [], lost: true };
  try {
    const parts = readBaseline(kept, id, known.baselines);
    if (!parts) return lost;
    const found = differencesOf({ place, onDisk, parts, known });
    const all = found.length === 0 ? found : heldDifferences(found, known, { place, scopes: scopes() });
    const differences = all.filter((one) => isPath(one.path));
    const differs = new Set(differences.map((one) => one.path));
    return {
      id,
      differences: differences.slice(0, heldChangesAtMost),
      restored: known.changes.flatMap((one) => (differs.has(one.path) ? [] : [one.path])),
      // What cannot be restored is lost too.
      lost:
        differences.length !== all.length ||
        differences.length > heldChangesAtMost ||
        !parts.every((part) => hasContents(kept, id, part)),
    };
  } catch {
    return lost;
  }
}

function heldDifferences(
  found: readonly Difference[],
  { changes }: HeldFiles,
  { place, scopes }: { readonly place: Place; readonly scopes: readonly string[] },
): Difference[] {
  const noted = new Map(changes.map((one) => [one.path, one.is]));
  return found.flatMap((one) => {
    if (scopes.some((glob) => globHolds(glob, one.path, place.ignoreCase))) return [one];
    // A change from before it was released stays as it was noted.
    const is = noted.get(one.path);
    return is === undefined ? [] : [{ ...one, is }];
  });
}

interface Comparing extends Pick<Compared, 'place' | 'onDisk' | 'known'> {
  readonly parts: readonly BaselinePart[];
}

function differencesOf({ place, onDisk, parts, known: { accepted } }: Comparing): Difference[] {
  const { files } = onDisk(place, [...new Set(parts.flatMap(({ scopes }) => scopes))]);
  const found: Difference[] = [];
  const known = new Set<string>();
  const compare = (name: string, was: BaselineFile | null, takenAt: number) => {
    const mark = files.get(name) ?? null;
    if (was && mark && isUntouched(was.mark, mark, takenAt)) return;
    const is = mark && contentNow(place, name, mark, was);
    if (is === (was?.content ?? null) || accepted.some((one) => one.path === name && one.is === is)) return;
    found.push({ path: name, was: was?.content ?? null, is, changedAt: changedAt(place, name, mark) });
  };
  for (const [index, part] of parts.entries()) {
    const earlier = parts.slice(0, index).flatMap(({ scopes }) => scopes);
    // A later part cannot vouch for a file that an earlier one is about.
    const isEarlier = (name: string) => earlier.some((glob) => globHolds(glob, name, place.ignoreCase));
    for (const [name, was] of part.files) {
      if (known.has(name) || isEarlier(name)) continue;
      known.add(name);
      compare(name, was, part.takenAt);
    }
  }
  // Of a folder with too many files, the baseline does not have all.
  if (!parts.some(({ cut }) => cut)) for (const name of files.keys()) if (!known.has(name)) compare(name, null, 0);
  return found;
}
function isUntouched(before: FileMark, now: Omit<FileMark, 'kind'>, takenAt: number): boolean {
  return (
    before.size === now.size &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    before.ino === now.ino &&
    before.dev === now.dev &&
    now.ctimeMs < takenAt - racyMs
  );
}

/** In the form that the baseline has: of a file that was not read, by size and time. */
function contentNow(place: Place, name: string, mark: FileMark, was: BaselineFile | null): string | null {
  const wasRead = was === null || was.mark.kind === 'link' || was.content !== unreadableHash(was.mark);
  return contentOf(place, name, mark, wasRead);
}

/** Of a file that is gone, when something in its folder last changed. */
function changedAt({ fs, folder }: Place, name: string, mark: FileMark | null): number | null {
  if (mark) return mark.ctimeMs;
  return fs.statSync(path.dirname(path.join(folder, name)), { throwIfNoEntry: false })?.ctimeMs ?? null;
}
