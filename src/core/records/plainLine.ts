/** Recognizes the ordinary frame of a line without its schema. */
import { isCount, isInstant, isListOf, isPlainText, isRecordOf, isSha256, isUuid } from '../kit/quickChecks.ts';
import { limits } from '../kit/words.ts';
import type { LineBody } from './records.ts';

const actorKinds: readonly unknown[] = ['agent', 'human', 'reviewer', 'system'];
const recordsAtMost = 10_000;

export function isPlainLine(value: unknown): value is LineBody {
  return (
    isRecordOf(value, ['at', 'prev', 'op', 'time', 'actor', 'records']) &&
    isCount(value['at']) &&
    isSha256(value['prev']) &&
    isUuid(value['op']) &&
    isInstant(value['time']) &&
    isActor(value['actor']) &&
    isListOf(value['records'], () => true) &&
    value['records'].length > 0 &&
    value['records'].length <= recordsAtMost
  );
}

function isActor(value: unknown): boolean {
  return (
    isRecordOf(value, ['kind', 'id'], ['session', 'worktree']) &&
    actorKinds.includes(value['kind']) &&
    isPlainText(value['id'], limits.id) &&
    (value['session'] === undefined || isPlainText(value['session'], limits.title)) &&
    (value['worktree'] === undefined || isPlainText(value['worktree'], limits.path))
  );
}
