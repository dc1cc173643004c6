/** Resources that clients can read without a tool call: open holds, the briefing, and waiting questions and RFCs. */
import { briefingOf } from '../app/memory/briefing.ts';
import { rfcView, waitingRfcs } from '../app/rfc/views.ts';
import { questionView, waitingQuestions } from '../app/question/views.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { cascade } from '../core/hold/cascade.ts';
import { fileScopes, holderName, isRfc, openHolders } from '../core/hold/holds.ts';
import { isRfcId } from '../core/waiting/items.ts';
import { workspacePath } from '../core/kit/paths.ts';
import { isRfcWaiting, sinceOf } from '../core/rfc/rfc.ts';
import { undecidedQuestions } from '../core/state/undecided.ts';
import { firstLine, questionId } from '../core/kit/text.ts';
import { allFiles } from '../core/records/widening.ts';

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'application/json';
}

const scheme = 'holdpoint://';
const holds = `${scheme}holds`;
const waiting = `${scheme}waiting`;
const memory = `${scheme}briefing`;
const questions = `${scheme}questions/`;
const rfcs = `${scheme}rfcs/`;
const mimeType = 'application/json' as const;

export const questionTemplate = {
  uriTemplate: `${questions}{id}`,
  name: 'question',
  title: 'One question',
  description: 'A question with its status and, once a human has decided, the decision.',
  mimeType,
} as const;

export const rfcTemplate = {
  uriTemplate: `${rfcs}{id}`,
  name: 'rfc',
  title: 'One RFC',
  description: 'A design with its sections, feedback, revisions and, once a human has decided, the decision.',
  mimeType,
} as const;

/** Three fixed resources, and one for each waiting question and RFC. */
export function listResources(workspace: Workspace): ListedResource[] {
  return [
    {
      uri: holds,
      name: 'holds',
      title: 'Open holds',
      description: 'Work items and files that are held, each with the question or RFC that holds it.',
      mimeType,
    },
    {
      uri: waiting,
      name: 'waiting',
      title: 'Waiting for a human',
      description: 'Questions and RFCs that a human has not decided, most urgent first.',
      mimeType,
    },
    {
      uri: memory,
      name: 'briefing',
      title: 'Briefing',
      description: 'Critical warnings, questions and RFCs that wait for a human, and what is known about this project.',
      mimeType,
    },
    ...waitingIn(workspace).map(({ id, text }) => ({
      uri: `${isRfcId(id) ? rfcs : questions}${id}`,
      name: id,
      title: `${id}: ${firstLine(text)}`,
      description: isRfcId(id) ? 'An RFC that waits for a human.' : 'A question that waits for a human.',
      mimeType,
    })),
  ];
}

function waitingIn(workspace: Workspace): { readonly id: string; readonly text: string }[] {
  const { state } = workspace.standing();
  return [
    ...(state ? undecidedQuestions(state) : []).map(({ id, raised }) => ({ id, text: raised.text })),
    ...[...(state?.rfcs.values() ?? [])].filter(isRfcWaiting).map(({ id, title }) => ({ id, text: title })),
  ];
}

export const briefingTemplate = {
  uriTemplate: `${memory}/{+path}`,
  name: 'briefing-of-path',
  title: 'Briefing for one file or folder',
  description: 'The briefing focused on a workspace-relative path.',
  mimeType,
} as const;

/** Null if the resource does not exist. */
export async function readResource(workspace: Workspace, uri: string): Promise<object | null> {
  const standing = workspace.standing();
  const unknown = standing.problem && { state: 'UNKNOWN', problem: standing.problem.message };
  if (uri === holds) return unknown ?? openHolds(workspace);
  if (uri === waiting) return unknown ?? waitingOn((await workspace.store()).read());
  if (uri === memory || uri.startsWith(`${memory}/`)) {
    const focus = focusOf(uri.slice(memory.length + 1));
    if (focus === undefined) return null;
    return unknown ?? { briefing: briefingOf(workspace, (await workspace.store()).read(), { focus }).briefing };
  }
  const rfcId = uri.startsWith(rfcs) ? uri.slice(rfcs.length) : '';
  if (isRfcId(rfcId)) {
    if (unknown) return unknown;
    const rfc = rfcView((await workspace.store()).read(), rfcId);
    return rfc && { rfc };
  }
  const id = questionId.safeParse(uri.startsWith(questions) ? uri.slice(questions.length) : '');
  if (!id.success) return null;
  if (unknown) return unknown;
  const question = questionView((await workspace.store()).read(), id.data);
  return question && { question };
}

/** Null for the whole project; undefined for an invalid path. */
function focusOf(encoded: string): string | null | undefined {
  if (encoded === '') return null;
  try {
    return workspacePath.safeParse(decodeURIComponent(encoded)).data;
  } catch {
    return undefined;
  }
}

function waitingOn(view: Parameters<typeof waitingQuestions>[0]): object {
  return { waiting: waitingQuestions(view), rfcs: waitingRfcs(view) };
}

function openHolds(workspace: Workspace): object {
  const { state } = workspace.standing();
  if (!state) return { state: 'UNKNOWN' };
  const open = openHolders(state).map((holder) => {
    const { direct, dependants } = cascade(state, holder);
    return {
      id: holder.id,
      text: holderName(holder),
      urgency: isRfc(holder) ? null : holder.urgency,
      status: holder.status,
      agent_id: holder.asker.id,
      worktree: holder.asker.worktree ?? null,
      raised_at: isRfc(holder) ? sinceOf(holder) : holder.raisedAt,
      work: direct,
      dependants,
      files: fileScopes(state, holder),
      all_files: allFiles(holder),
    };
  });
  return { state: open.length === 0 ? 'CLEAR' : 'BLOCKED', holds: open };
}
