/** Tree rows that stand for several questions of the same shape, and open the form that answers them together. */
import { type WaitingQuestion, waitingCount, waitingOrder } from '../../app/question/views.ts';
import {
  templateOf,
  isConfirmable,
  confirmableQuestions,
  sameShapes,
  type SameShape,
} from '../../core/question/shape.ts';
import { perFolder, type Folders, type OpenFolder } from '../kit/folders.ts';
import { perChange, type HasPosition } from '../kit/timing.ts';
import { isOpenHolder } from '../../core/hold/holds.ts';
import { type Question, type State, undecidedQuestions } from '../../core/state/state.ts';

interface WaitingRow {
  readonly kind: 'question';
  readonly folder: OpenFolder;
  readonly question: WaitingQuestion;
}

/** Questions of one shape: collapsed, and loaded when it is expanded. */
export interface AlikeNode {
  readonly kind: 'alike';
  readonly folder: OpenFolder;
  readonly text: string;
  /** Their agents wait for the answer. */
  readonly holding: boolean;
  /** The most pressing one first. */
  readonly waiting: readonly WaitingRow[];
}

/** One row for each shape, in the place of its most pressing question. */
export function withAlike<T extends { readonly kind: string }>(
  waiting: readonly (T | WaitingRow)[],
): (T | WaitingRow | AlikeNode)[] {
  const groups = new Map<string, { readonly text: string; readonly holding: boolean; readonly rows: WaitingRow[] }>();
  const keys = new Map<T | WaitingRow, string>();
  const shapesOf = perFolder(({ workspace }) => {
    const { state } = workspace.standing();
    return state && sameShapesIn(workspace, state);
  });
  for (const row of waiting) {
    if (!isQuestion(row)) continue;
    const { workspace } = row.folder;
    const group = shapesOf(row.folder)?.get(row.question.id);
    const [first] = group?.questions ?? [];
    if (!group || !first) continue;
    const key = `${workspace.location.root} ${first.id}`;
    const known = groups.get(key) ?? { text: templateOf(group), holding: first.mode === 'sync', rows: [] };
    known.rows.push(row);
    groups.set(key, known);
    keys.set(row, key);
  }
  return waiting.flatMap((row): (T | WaitingRow | AlikeNode)[] => {
    const group = groups.get(keys.get(row) ?? '');
    if (!group || group.rows.length < 2) return [row];
    const { text, holding, rows } = group;
    const [first] = rows;
    return first === row ? [{ kind: 'alike', folder: first.folder, text, holding, waiting: rows }] : [];
  });
}

function isQuestion(row: { readonly kind: string }): row is WaitingRow {
  return row.kind === 'question';
}

/** The question by which the form is opened. */
export function leadOf({ waiting }: AlikeNode): string {
  return waiting[0]?.question.id ?? '';
}

// Tree rows that open the form of several assumptions.

/** Opens the form that confirms several assumptions, of one agent or of all. */
export interface AssumptionsNode {
  readonly kind: 'assumptions';
  readonly folder: OpenFolder;
  readonly agent?: string;
  readonly count: number;
}

export function assumptionRows(folders: Folders): AssumptionsNode[] {
  return folders.shown.flatMap(([folder]) => assumptionRow(folder));
}

export function assumptionRow(folder: OpenFolder, agent?: string): AssumptionsNode[] {
  const { state } = folder.workspace.standing();
  const count = state === null ? 0 : confirmableCount(folder.workspace, state, agent);
  return count > 1 ? [{ kind: 'assumptions', folder, ...(agent === undefined ? {} : { agent }), count }] : [];
}

export function isConfirmableIn({ workspace }: OpenFolder, id: string): boolean {
  const question = workspace.standing().state?.questions.get(id);
  return question !== undefined && isConfirmable(question);
}

// What the tree, the forms and the status bar show of the waiting questions, each computed once per change.

export const orderOf = perChange(waitingOrder);
export const countOf = perChange(waitingCount);
const confirmableIn = perChange((state) => confirmableQuestions(state));

export const criticalIn = perChange((state) =>
  undecidedQuestions(state).filter(({ urgency }) => urgency === 'critical'),
);

/** Groups of open questions that one act can answer together, by the id of each question. */
export const sameShapesIn = perChange((state): ReadonlyMap<string, SameShape> => {
  const groups = sameShapes(state, undecidedQuestions(state));
  return new Map(groups.flatMap((group) => group.questions.map(({ id }): [string, SameShape] => [id, group])));
});

/** Holds that a human widened to every file. */
export const widenedIn = perChange((state) =>
  [...undecidedQuestions(state), ...state.rfcs.values()].filter((one) => one.widened !== null && isOpenHolder(one)),
);

/** Number of assumptions to confirm: of an agent, or of all. */
export function confirmableCount(workspace: HasPosition, state: State, agent?: string): number {
  return countedOf(confirmableIn(workspace, state), agent);
}

function countedOf(questions: readonly Question[], agent: string | undefined): number {
  return agent === undefined ? questions.length : questions.filter(({ asker }) => asker.id === agent).length;
}
