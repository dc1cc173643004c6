/** Forms about no single question: the policy, all questions of an agent, and a work item. */
import * as l10n from '@vscode/l10n';
import { shownOpenQuestions, shownPolicyHash, shownDeletionHash } from '../../app/decision/decisions.ts';
import { holderName } from '../../core/hold/holds.ts';
import { progressOf } from '../../core/state/quorum.ts';
import type { Policy, WorkItem } from '../../core/state/state.ts';
import { decidedFirst, deletionOf } from '../../core/work/fold.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { approvedWords, policyInBrowser } from '../surface/standing.ts';
import { questionView } from '../../app/question/views.ts';
import { firstLine } from '../../core/kit/text.ts';
import { policyFields, presets, valuesOf } from './policy.ts';
import { ruleRows } from './policyTable.ts';
import { formHead, signerOf, type FormOptions } from '../surface/workspaceForms.ts';

export type PolicyView = ReturnType<typeof policyModel>;

/** The policy of a workspace. */
export function policyModel(options: FormOptions) {
  const { folder, view, standing, locked } = options;
  const { policy } = view.state;
  const rules = policy.quorum?.rules ?? [];
  const answersAs = signerOf(standing);
  const named = rules.flatMap(({ people }) => people);
  const offered = {
    isShared: view.state.shared !== null,
    people: [...new Set([...ringOf(folder.workspace), answersAs.name, ...named])],
    responsibilities: [...view.state.responsibilities.values()],
  };
  return {
    ...formHead(options, 'policy', { shown: shownPolicyHash(view.state) }),
    fields: policyFields(offered),
    values: valuesOf(policy, offered),
    presets: presets(offered),
    // Changes of rules that too few people have signed so far.
    proposedRules: progressOf(view.state, 'policy', rules).map((progress) => ({
      text: approvedWords(progress),
      rules: JSON.stringify(ruleRows(progress.pending.record as Partial<Policy>)),
    })),
    ...(locked === undefined ? policyInBrowser(policy, standing) : {}),
  };
}

/** Names of the keys that are trusted here. */
export function ringOf(workspace: Workspace): string[] {
  const names = workspace.pins().flatMap(({ name, retired }) => (retired ? [] : [name]));
  return [...new Set(names)].sort();
}

export type ReleaseAllView = NonNullable<ReturnType<typeof releaseAllModel>>;

/** All open questions of one agent, before they are released; null if it has none. Expired ones still hold. */
export function releaseAllModel(options: FormOptions & { readonly agent: string }) {
  const { folders, folder, view, agent } = options;
  const { ids, shown } = shownOpenQuestions(view.state, agent);
  const questions = ids.flatMap((id) => questionView(view, id) ?? []);
  const [first] = questions;
  if (!first) return null;
  return {
    ...formHead(options, 'releaseAll', { shown, about: agent }),
    agent: first.agent_name,
    questions: questions.map((question) => ({
      key: folders.keyOf(folder, question.id),
      id: question.id,
      text: firstLine(question.text, 200),
      urgency: question.urgency,
      ...(question.holding ? { holds: question.holds_work } : {}),
      expired: question.status === 'expired',
    })),
  };
}

export type WorkView = NonNullable<ReturnType<typeof workModel>>;

/** A work item, and what deleting it would change; null for an unknown one, or a deleted one. */
export function workModel(options: FormOptions & { readonly id: string }) {
  const { folders, folder, view, id } = options;
  const deletion = deletionOf(view.state, id);
  if (deletion === null) return null;
  const named = ({ id: of, title }: WorkItem) => ({ id: of, title });
  const first = decidedFirst(view.state, deletion);
  const locked =
    options.locked ??
    (first && l10n.t('{0} holds it, and the policy requires more than your signature. Decide that first.', first.id));
  return {
    ...formHead({ ...options, locked: locked ?? undefined }, 'work', { shown: shownDeletionHash(deletion), about: id }),
    work: named(deletion.item),
    kind: deletion.item.kind,
    parts: deletion.parts.map(named),
    // They stay open.
    holders: deletion.holders.map((holder) => ({
      key: folders.keyOf(folder, holder.id),
      id: holder.id,
      text: firstLine(holderName(holder), 200),
    })),
    // Unfinished work that waits for any of them.
    dependants: deletion.dependants.map(named),
  };
}
