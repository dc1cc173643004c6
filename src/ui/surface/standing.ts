/** The keys with which a person signs here, as forms use them: the editor's own, or a passkey in a browser. */
import type { KeySigner } from '../../app/decision/decisions.ts';
import type { KeyScope } from '../../app/keys/acts.ts';
import type { Team } from '../../app/workspace/sharedFile.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import * as l10n from '@vscode/l10n';
import { program } from '../kit/program.ts';
import {
  isListed,
  needsPasskey,
  type Progress,
  progressOf,
  type QuorumView,
  rulesFor,
  type SignedWith,
} from '../../core/state/quorum.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { Policy, Question, State } from '../../core/state/state.ts';
import type { PendingDecision, QuorumRule } from '../../core/records/policy.ts';
import type { Answer } from '../../core/records/records.ts';
import type { People } from '../kit/view.ts';
import { firstLine, answerLine } from '../../core/kit/text.ts';

export type SignerStanding =
  /**
   * This editor's key is pinned on this machine. `managed`: in the administrator's key ring, which cannot be changed
   * here. `team`: in the ring that a team shares; only its roots change that.
   */
  | {
      readonly kind: 'enrolled';
      readonly name: string;
      readonly keyid: string;
      readonly managed: string | null;
      readonly team: Team | null;
      /** The key is a passkey, which signs in a browser. */
      readonly passkey?: true;
    }
  /** No key is pinned yet: the first decision enrols this editor's. */
  | { readonly kind: 'first'; readonly suggestedName: string }
  /** Other keys are pinned, this editor's is not: a human, the administrator or a root of the team must add it first. */
  | {
      readonly kind: 'stranger';
      readonly suggestedName: string;
      readonly pinned: readonly PinnedKey[];
      readonly managed: string | null;
      readonly team: Team | null;
    };

export interface PublicKey {
  readonly keyid: string;
  /** SPKI DER, base64. */
  readonly publicKey: string;
}

export interface Keys {
  standing(workspace: Workspace): Promise<SignerStanding>;
  /** The public half of this editor's key, or null. */
  own(): Promise<PublicKey | null>;
  /** The public key; creates one if needed, so that an administrator can add it. */
  make(): Promise<PublicKey>;
  /** Pins this editor's key under a name, or renames it. A human's act. */
  enrol(workspace: Workspace, name: string): Promise<void>;
  /** Enrols when others are pinned: in addition to them, or replacing lost ones. A human's act. */
  enrolBeside(scope: KeyScope, name: string, others: OtherKeys): Promise<void>;
  /**
   * Replaces this editor's key. A human's act.
   * @throws AppError; Error when this editor's key is not pinned
   */
  rotate(scope: KeyScope): Promise<void>;
  /** @throws Error when this editor's key is not pinned */
  signer(workspace: Workspace): Promise<KeySigner>;
  /** Ids of keys that are trusted here but were not trusted through this editor's forms. */
  strangers(workspace: Workspace): Promise<ReadonlySet<string>>;
  /** A human trusted this key here. */
  know(workspace: Workspace, keyid: string): Promise<void>;
}

/** The keys that the form of enrolment showed. */
export interface OtherKeys {
  /** The key ring at that time. Keys that a program adds to it later do not become known. */
  readonly pinned: readonly PinnedKey[];
  /** Ids of those that can no longer sign. */
  readonly lost: readonly string[];
}

/** A short reason next to a form for why an unknown key cannot decide. */
export function strangerWords({ managed, team }: Extract<SignerStanding, { kind: 'stranger' }>): string {
  if (managed !== null)
    return l10n.t('An administrator manages the trusted keys here, and this editor’s key is not among them.');
  return team ? notInTeam(team) : l10n.t('This editor cannot sign for you yet.');
}

/** What to do about a key that is not in the team's ring. */
export function notInTeam({ roots }: Team): string {
  return roots.length === 0
    ? l10n.t('This editor’s key is not in the team’s list of keys.')
    : l10n.t('This editor’s key is not in the team’s list of keys. Ask {0} to add it.', namesOf(roots));
}

export function teamKeys({ roots }: Team): string {
  return roots.length === 0
    ? l10n.t('The keys trusted here are in the team’s list of keys, which cannot be used now.')
    : l10n.t('The keys trusted here are in the team’s list of keys. {0} can add and remove keys.', namesOf(roots));
}

function namesOf(roots: readonly string[]): string {
  return new Intl.ListFormat(program().language, { type: 'disjunction' }).format(roots);
}

// Decisions that only a passkey signs: the editor's form says so, and its button opens the page of the browser.

/** Why the item is decided in a browser; nothing where any key decides it, and in the browser itself. */
export function inBrowser(state: State, item: Question | Rfc, standing: SignerStanding): { inBrowser?: string } {
  if (signsWithPasskey(standing) || !needsPasskey(state, item)) return {};
  return {
    inBrowser: l10n.t('The policy requires a passkey: you answer in your browser, and the result appears here.'),
  };
}

export function policyInBrowser({ passkeys }: Policy, standing: SignerStanding): { inBrowser?: string } {
  if (signsWithPasskey(standing) || !passkeys?.rules.length) return {};
  return {
    inBrowser: l10n.t(
      'Loosening a rule on passkeys needs a passkey, and so does every change while a rule covers everything. Open this form in the browser for that.',
    ),
  };
}

export function signsWithPasskey(standing: SignerStanding): boolean {
  return standing.kind === 'enrolled' && standing.passkey === true;
}

interface SignedBy {
  readonly keyid: string;
  readonly passkey?: true;
}

/** Under a decision in a tooltip; empty for a key of an editor. */
export function signedWords(signed: SignedWith | null): string {
  return signed === 'passkey' ? l10n.t('Signed with a passkey, verified by PIN or fingerprint') : '';
}

/** The passkey that signed a decision, as its human calls it. */
export function passkeyOf(
  state: State,
  workspace: Pick<Workspace, 'pins'>,
  by: SignedBy | null | undefined,
): { passkey?: string } {
  if (!by?.passkey) return {};
  const pinned = workspace.pins().find(({ keyid }) => keyid === by.keyid);
  const label = state.passkeys.get(by.keyid)?.label ?? pinned?.passkey?.label;
  return { passkey: label ?? by.keyid.slice(0, 16) };
}

// Decisions that need several people, for forms: who is needed, who has signed, and whether this human may.

/** Nothing for an item that any human can decide. */
export function peopleModel(state: State, item: Question | Rfc, standing: SignerStanding): { people?: People } {
  const rules = rulesFor(state, item);
  if (rules.length === 0) return {};
  const you = standing.kind === 'enrolled' ? standing.name : null;
  return {
    people: {
      needs: needsWords(rules),
      proposals: progressOf(state, item.id, rules).map((progress) => {
        const fill = fillOf(progress.pending.record);
        return {
          text: approvedWords(progress),
          mine: progress.approvals.some(({ name }) => name === you),
          ...(fill === undefined ? {} : { fill }),
        };
      }),
    },
  };
}

/** Why this human's decision would not be valid; undefined when it is. */
export function unlistedWords(state: State, item: Question | Rfc, standing: SignerStanding): string | undefined {
  const rules = rulesFor(state, item);
  if (standing.kind !== 'enrolled' || rules.length === 0) return undefined;
  if (rules.some((rule) => isListed(rule, standing))) return undefined;
  return l10n.t('The policy does not list {0}, so your decision would have no effect.', standing.name);
}

type Fill = NonNullable<People['proposals'][number]['fill']>;

function fillOf(record: PendingDecision['record']): Fill | undefined {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : '');
  switch (record.kind) {
    case 'question.answered': {
      const { choices, text: said = '', effect } = record['answer'] as Answer;
      return { panel: 'answer', choices: [...choices], text: said, ...(effect === undefined ? {} : { effect }) };
    }
    case 'question.cancelled':
      return { panel: 'cancel', choices: [], text: text('reason') };
    case 'question.released':
      return { panel: 'release', choices: [], text: text('note') };
    case 'refusal.lifted':
      return { panel: 'lift', choices: [], text: text('reason') };
    case 'rfc.approved':
    case 'rfc.rejected':
    case 'rfc.withdrawn':
      return rfcFill(record);
    default:
      return undefined;
  }
}

function rfcFill(record: PendingDecision['record']): Fill {
  const list = (name: string) => {
    const value = record[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  };
  const { reason, then } = record as { reason?: string; then?: string };
  return {
    panel: record.kind === 'rfc.approved' ? 'approve' : record.kind === 'rfc.rejected' ? 'reject' : 'withdraw',
    text: reason ?? '',
    conditions: [...list('conditions'), ...list('constraints')],
    way: then === 'stop' ? 'stop' : 'otherWay',
  };
}

// What forms and rows say about decisions that take several people.

/** After a decision that needs more people. */
export function keptWords(quorum: QuorumView | null): string {
  const [best] = quorum?.proposals ?? [];
  return best
    ? l10n.t('Signed: {0} of {1}. Nothing is released until the others sign the same decision.', best.have, best.of)
    : l10n.t('Signed. Nothing is released until the others sign the same decision.');
}

/** "2 of ada, grace, linus must decide this." */
export function needsWords(rules: readonly QuorumRule[]): string {
  const each = rules.map(({ count, people }) => l10n.t('{0} of {1} must decide this.', count, people.join(', ')));
  return [...new Set(each)].join(' ');
}

/** "1 of 2: grace approved “JWT”" */
export function approvedWords({ pending: { record }, approvals, have, of }: Progress): string {
  const names = approvals.map(({ name }) => name).join(', ');
  return [l10n.t('{0} of {1}', have, of), actWords(record, names)].join(': ');
}

function actWords(record: Progress['pending']['record'], names: string): string {
  switch (record.kind) {
    case 'question.answered':
      return l10n.t('{0} approved “{1}”', names, firstLine(answerLine(record['answer'] as Answer), 200));
    case 'question.cancelled':
      return l10n.t('{0} approved dismissing it as no longer needed', names);
    case 'question.released':
      return l10n.t('{0} approved dismissing it', names);
    case 'refusal.lifted':
      return l10n.t('{0} approved lifting the refusal', names);
    case 'hold.narrowed':
      return l10n.t('{0} approved holding only the named files', names);
    case 'hold.changeAccepted':
      return l10n.t('{0} accepted the changes of held files', names);
    case 'rfc.rejected':
      return l10n.t('{0} rejected it', names);
    case 'rfc.withdrawn':
      return l10n.t('{0} approved withdrawing it', names);
    case 'rfc.approved': {
      const terms = [record['conditions'], record['constraints']].flat().filter((one) => typeof one === 'string');
      return terms.length === 0
        ? l10n.t('{0} approved', names)
        : l10n.t('{0} approved, on these terms: {1}', names, firstLine(terms.join('; '), 200));
    }
    default:
      return l10n.t('{0} approved', names);
  }
}

/** "1 of 2", for rows; null without a signature, or for an item that one person decides. */
export function countWords(quorum: QuorumView | null): string | null {
  const [best] = quorum?.proposals ?? [];
  return best ? l10n.t('{0} of {1}', best.have, best.of) : null;
}
