/** Notes the session that parks a question, so that the answer can start it again. Best effort: it never denies. */
import { noteParkedSession } from '../app/question/parkedSessions.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { resumableHost } from '../core/records/policy.ts';
import { questionId } from '../core/kit/fields.ts';
import type { Asked } from './withoutAsking.ts';

export function noteParking(workspace: Workspace, { adapter, call }: Asked): void {
  const id = questionId.safeParse(call.tool?.input['id']).data;
  const host = resumableHost.safeParse(adapter.host).data;
  if (id === undefined || host === undefined || call.session === null) return;
  // A session is kept under the folder in which the host was started, which has the hook.
  noteParkedSession(workspace, id, { host, session: call.session, folder: workspace.options.folder });
}
