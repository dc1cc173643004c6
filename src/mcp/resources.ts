/** Resources that clients can read without a tool call: open holds, the briefing, and waiting questions and RFCs. */
import { briefingOf } from '../app/memory/briefing.ts';
import { questionView, waitingQuestions } from '../app/question/views.ts';
import { rfcView, waitingRfcs } from '../app/rfc/views.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { cascade, fileScopes, holderName, isRfc, openHolders } from '../core/hold/holds.ts';
import { questionId, workspacePath } from '../core/kit/fields.ts';
import { firstLine } from '../core/kit/text.ts';
import { allFiles } from '../core/state/heldChanges.ts';
import { isRfcWaiting, sinceOf } from '../core/rfc/rfc.ts';
import { undecidedQuestions, type State } from '../core/state/state.ts';
import { isRfcId } from '../core/waiting/items.ts';

const scheme = 'holdpoint://';
const mimeType = 'application/json' as const;

type View = Parameters<typeof waitingQuestions>[0];

interface Resource {
  /** After the scheme. `{id}` or `{+path}` at its end stands for one of many. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What stands there, or undefined if nothing can. */
  readonly part?: (text: string) => string | undefined;
  /** Null if there is no such item. */
  read(view: View, workspace: Workspace, part: string): object | null;
}

const resources: readonly Resource[] = [
  {
    ...{ uri: 'holds', name: 'holds', title: 'Open holds' },
    description: 'Work items and files that are held, each with the question or RFC that holds it.',
    read: ({ state }) => openHolds(state),
  },
  {
    ...{ uri: 'waiting', name: 'waiting', title: 'Waiting for a human' },
    description: 'Questions and RFCs that a human has not decided, most urgent first.',
    read: (view) => ({ waiting: waitingQuestions(view), rfcs: waitingRfcs(view) }),
  },
  {
    ...{ uri: 'briefing', name: 'briefing', title: 'Briefing' },
    description: 'Critical warnings, questions and RFCs that wait for a human, and what is known about this project.',
    read: readBriefing,
  },
  {
    ...{ uri: 'questions/{id}', name: 'question', title: 'One question' },
    description: 'A question with its status and, once a human has decided, the decision.',
    part: (id) => questionId.safeParse(id).data,
    read(view, _, id) {
      const question = questionView(view, id);
      return question && { question };
    },
  },
  {
    ...{ uri: 'rfcs/{id}', name: 'rfc', title: 'One RFC' },
    description: 'A design with its sections, feedback, revisions and, once a human has decided, the decision.',
    part: (id) => (isRfcId(id) ? id : undefined),
    read(view, _, id) {
      const rfc = rfcView(view, id);
      return rfc && { rfc };
    },
  },
  {
    ...{ uri: 'briefing/{+path}', name: 'briefing-of-path', title: 'Briefing for one file or folder' },
    description: 'The briefing focused on a workspace-relative path.',
    part: pathIn,
    read: readBriefing,
  },
];

/** Empty for the whole project. */
function pathIn(encoded: string): string | undefined {
  try {
    return encoded === '' ? '' : workspacePath.safeParse(decodeURIComponent(encoded)).data;
  } catch {
    return undefined;
  }
}

function readBriefing(view: View, workspace: Workspace, path: string): object {
  return { briefing: briefingOf(workspace, view, { focus: path === '' ? null : path }).briefing };
}

function openHolds(state: State): object {
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

const isOneOfMany = ({ part }: Resource) => part !== undefined;

export const resourceTemplates = resources
  .filter(isOneOfMany)
  .map(({ uri, name, title, description }) => ({ uriTemplate: scheme + uri, name, title, description, mimeType }));

/** The fixed ones, and one for each waiting question and RFC. */
export function listResources(workspace: Workspace) {
  const { state } = workspace.standing();
  const fixed = resources.filter((one) => !isOneOfMany(one));
  const questions = (state ? undecidedQuestions(state) : []).map(({ id, raised }) => ({ id, text: raised.text }));
  const rfcs = [...(state?.rfcs.values() ?? [])].filter(isRfcWaiting).map(({ id, title }) => ({ id, text: title }));
  return [
    ...fixed.map(({ uri, name, title, description }) => ({ uri: scheme + uri, name, title, description, mimeType })),
    ...[...questions, ...rfcs].map(({ id, text }) => ({
      uri: `${scheme}${isRfcId(id) ? 'rfcs' : 'questions'}/${id}`,
      name: id,
      title: `${id}: ${firstLine(text)}`,
      description: isRfcId(id) ? 'An RFC that waits for a human.' : 'A question that waits for a human.',
      mimeType,
    })),
  ];
}

/** Null if the resource does not exist. */
export async function readResource(workspace: Workspace, uri: string): Promise<object | null> {
  for (const { uri: written, part: parse, read } of resources) {
    const prefix = scheme + written.replace(/\{.*/, '');
    if (parse ? !uri.startsWith(prefix) : uri !== prefix) continue;
    const part = parse ? parse(uri.slice(prefix.length)) : '';
    if (part === undefined) return null;
    const { problem } = workspace.standing();
    return problem
      ? { state: 'UNKNOWN', problem: problem.message }
      : read((await workspace.store()).read(), workspace, part);
  }
  return null;
}
