/** The actors in tests: agents, and humans with real keys. */
import { randomUUID } from 'node:crypto';
import {
  decideQuestion,
  shownHash,
  type DecisionOutcome,
  type Signing,
  type Verdict,
  requireDecided,
  type Signer,
} from '../../../src/app/decision/decisions.ts';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { setHeldFiles, type HoldOutcome } from '../../../src/app/hold/decisions.ts';
import type { AgentSession } from '../../../src/app/workspace/session.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Store } from '../../../src/store/store.ts';
import { definitionOf } from '../../../src/core/decision/decisions.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeHuman, type Human } from './human.ts';
import { isSharedRun, joinRing } from './sharedSandbox.ts';

export { makeHuman } from './human.ts';
export type { Human } from './human.ts';

/** A human whose key is pinned on the sandbox's machine. */
export function enrolledHuman(workspace: Workspace, name = 'Ada'): Human {
  const human = makeHuman(name);
  if (isSharedRun) joinRing(workspace, human);
  else enrolKey(workspace, human.publicKey, name);
  return human;
}

export function agent(id = 'copilot-001', more: { session?: string; worktree?: string } = {}): AgentSession {
  return { actor: { kind: 'agent', id, worktree: '.', ...more }, host: 'test' };
}

/** An agent of Ada's in a shared journal: her agents' login writes as no other. */
export const adasAgent: typeof agent = (id, more) => agent(`Ada/${id ?? 'copilot-001'}`, more);

export const signedBy = (store: Store, signer: Signer): Signing => ({ store, signer, newId: randomUUID });

export const yes: Verdict = { kind: 'answer', answer: { text: 'Yes, go on.', choices: [] } };
export const cancel: Verdict = { kind: 'cancel', reason: 'Not wanted any more.' };
export const release: Verdict = { kind: 'release', note: 'Take the simple way.' };

/** Decides as the form does: based on the current content. */
export async function decide(
  workspace: Workspace,
  human: Signer,
  id: string,
  verdict: Verdict = yes,
): Promise<DecisionOutcome> {
  const store = await workspace.store();
  const { state } = store.read();
  const question = state.questions.get(id);
  const shown = question ? shownHash(state, question) : '0'.repeat(64);
  return decideQuestion(signedBy(store, human), id, verdict, shown);
}

/** Asks the agent a follow-up question as the form does: about the current content. */
export async function askAgent(workspace: Workspace, human: Signer, id: string, text = 'Why now?'): Promise<void> {
  const store = await workspace.store();
  const { state } = store.read();
  const question = state.questions.get(id);
  const shown = question ? shownHash(state, question) : '0'.repeat(64);
  await requireDecided(signedBy(store, human), { kind: 'question.askedBack', v: 1, id, text }, shown);
}

/** Widens a hold to every file, or returns it to the named files, as the form does: based on the current content. */
export async function holdFiles(
  workspace: Workspace,
  human: Signer,
  id: string,
  files: 'all' | 'named',
): Promise<HoldOutcome> {
  const store = await workspace.store();
  return setHeldFiles(
    signedBy(store, human),
    id,
    files,
    hashOf(definitionOf({ kind: 'hold.widened' }).shown(store.read().state, { kind: 'hold.widened', v: 1, id: id })),
  );
}
