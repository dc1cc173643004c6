/**
 * Changes of held files that were detected, because not every change can be prevented. Baselines and changes are noted
 * without a signature: they only add. Only a human accepts a change.
 */
import * as z from 'zod';
import { workspacePath, otherText, questionId, sha256Hex } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { envelope, record } from './parts.ts';
import { rfcId } from './rfcWords.ts';

const holderId = z.union([questionId, rfcId]);

/** Stands for a file's content; null for a file that does not exist. */
const content = sha256Hex.nullable();
const change = z.strictObject({ path: workspacePath, was: content, is: content });
const changes = z.array(change).max(limits.listItems);
/** Whose files: each copy of a workspace that a team shares has its own. None where the journal is one machine's. */
const copy = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .optional();

export const heldChangeRecords = [
  /** `hash`: of the file with the baseline. `scopes`: of the globs it is about. Each part adds the files of more globs. */
  record('hold.baselineTaken', () => ({
    id: holderId,
    part: z.int().min(1).max(limits.listItems),
    hash: sha256Hex,
    scopes: sha256Hex,
    files: z.int().nonnegative(),
    copy,
  })),
  /** `lost`: the baseline is missing or not what was recorded, or more files changed than can be listed. */
  record('hold.violated', () => ({
    id: holderId,
    files: changes,
    lost: z.literal(true).optional(),
    /** What ran in the meantime; none if no call that a hook saw. */
    call: otherText.optional(),
    copy,
  })),
  /** Files that are as in the baseline again, while they are still held. */
  record('hold.fileRestored', () => ({
    id: holderId,
    paths: z.array(workspacePath).min(1).max(limits.listItems),
    copy,
  })),
  record('hold.changeAccepted', () => ({
    id: holderId,
    files: z.array(change.extend({ copy })).max(limits.listItems),
    lost: z.literal(true).optional(),
    /** The lost baseline is taken again, of the files as they are. Optional: earlier records leave it as it is. */
    newBaseline: z.literal(true).optional(),
    envelope,
  })),
] as const;
export type HeldChangeKind = (typeof heldChangeRecords)[number]['kind'];

/** Signed records (`widening.ts`). Both carry an envelope, because narrowing releases files. */
export const wideningRecords = [
  record('hold.widened', () => ({ id: holderId, envelope })),
  record('hold.narrowed', () => ({ id: holderId, envelope })),
] as const;
