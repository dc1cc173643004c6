/** The page's side of a triage: the countdown, announcements, and the drafts of decisions that can be undone. */
import type { Snapshot } from '../../../src/protocol/question/question.ts';
import type { TriageEndView, TriageState } from '../../../src/protocol/question/triage.ts';
import { undoKeys } from '../../shared/deciding.ts';
import { t, tn } from '../../shared/strings.ts';
import { millisecondsUntil } from '../../shared/time.ts';
import { visibleText } from '../../shared/visible.ts';

type HeldDecision = TriageState['held'][number];

interface TriageOptions {
  readonly snapshot: () => Snapshot | undefined;
  readonly say: (text: string) => void;
  readonly focusOn: (target: string) => void;
  readonly unsettle: () => void;
  readonly dropDraft: (key: string) => void;
  readonly later: (ms: number, run: () => void) => void;
  readonly changed: () => void;
}

export function createTriageActs(options: TriageOptions) {
  const { snapshot, later, changed } = options;
  const state = () => snapshot()?.triage;
  let ticking = false;

  /** Redraws when the next second of the countdown begins. */
  function tick(): void {
    const latest = state()?.held.at(-1);
    if (ticking || !latest) return;
    const rest = millisecondsUntil(latest.until);
    if (rest <= 0) return;
    ticking = true;
    later((rest % 1_000) + 20, () => {
      ticking = false;
      changed();
      tick();
    });
  }

  return {
    triage: state,
    /** Whether the decision can still be undone, so that its draft is kept. */
    isHeld: (key: string): boolean => state()?.held.some((one) => one.key === key) ?? false,

    received(next: Snapshot, before: Snapshot | undefined): void {
      if (!next.triage) return;
      const moved = keyOf(next) !== keyOf(before);
      if (moved) options.focusOn('question');
      for (const { key } of leaving(next, before?.triage))
        if (key !== keyOf(next) && key !== next.triage.failed?.key) options.dropDraft(key);
      const isNews = next.triage.failed !== undefined && next.triage.failed.text !== before?.triage?.failed?.text;
      // The content below moves.
      if (isNews) options.unsettle();
      const words = announced(next, before, { moved, isNews });
      if (words.length > 0) options.say(words.join(' '));
      tick();
    },
  };
}

function keyOf(snapshot: Snapshot | undefined): string {
  if (!snapshot) return '';
  return 'key' in snapshot.view ? snapshot.view.key : snapshot.view.type;
}

/** Decisions that are no longer delayed. */
function leaving({ triage }: Snapshot, before: TriageState | undefined): readonly HeldDecision[] {
  return (before?.held ?? []).filter(({ act }) => !triage?.held.some((one) => one.act === act));
}

function announced(
  next: Snapshot,
  before: Snapshot | undefined,
  { moved, isNews }: { readonly moved: boolean; readonly isNews: boolean },
): string[] {
  const { triage } = next;
  const latest = triage?.held.at(-1);
  const isNew = latest && !before?.triage?.held.some(({ act }) => act === latest.act);
  const undone = leaving(next, before?.triage).some(({ key }) => key === keyOf(next));
  return [
    ...(isNews ? [visibleText(triage?.failed?.text ?? '')] : []),
    ...(undone && !isNews ? [t('triage.liveUndone')] : []),
    ...(isNew ? [heldWords(latest), t('triage.liveUndo', { n: secondsLeft(latest), key: undoKeys })] : []),
    ...(moved ? [placeWords(next)] : []),
  ];
}

function placeWords({ triage, view }: Snapshot): string {
  if (triage?.index !== undefined) return t('triage.livePlace', { index: triage.index, of: triage.of });
  return view.type === 'triageEnd' ? endTitle(view) : '';
}

export function endTitle({ left, proposals }: TriageEndView): string {
  if (left.length > 0) return tn('triage.left', left.length);
  return t(proposals ? 'nothing.questions' : 'nothing.title');
}

export function heldWords({ how, said }: HeldDecision): string {
  return said === undefined ? t(`triage.${how}`) : t('triage.answered', { said: visibleText(said) });
}

/** Whole seconds; 0 during sending. */
export function secondsLeft({ until }: HeldDecision): number {
  return Math.max(0, Math.ceil(millisecondsUntil(until) / 1_000));
}
