/** The schema of the actor of a record. */
import * as z from 'zod';
import { textField } from '../kit/fields.ts';
import { actorKind } from '../kit/words.ts';
import { limits } from '../kit/limits.ts';

/** Who acted; set by the program's head. `worktree` is relative to the store's root, `.` for the root itself. */
export const actor = z.object({
  kind: actorKind,
  id: textField(limits.id),
  session: textField(limits.title).optional(),
  worktree: textField(limits.path).optional(),
});
export type Actor = z.infer<typeof actor>;
