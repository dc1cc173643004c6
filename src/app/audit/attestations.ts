/**
 * Attestations: each decision as a separate file, for a repository and its CI, which verify it without the store. The
 * file contains what the human was shown, the decision and the signature; its name contains its hash, so that two
 * branches never write the same file differently.
 */
import path from 'node:path';
import * as z from 'zod';
import {
  decisionPayload,
  type DecisionPayload,
  type Trust,
  subjectOf,
  withoutEnvelope,
} from '../../core/records/decision.ts';
import { definitionOf } from '../../core/decision/decisions.ts';
import { anyRecord, type CountedLine, type SignedRecord } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import { replaceFile, storeFolder } from '../../store/journal/files.ts';
import { walkJournal } from '../../store/journal/ledger.ts';
import { journalBytes } from './savedState.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { canonicalJson, hashOf, sha256 } from '../../trust/canonical.ts';

const attestationFile = z.strictObject({
  holdpoint: z.literal('attestation'),
  v: z.literal(1),
  /** The signed payload in readable form; the envelope in the record has its bytes. */
  decision: decisionPayload,
  record: z.looseObject({ kind: z.string() }),
  /** What was on the screen: the question or the RFC's state. Null for kinds that CI ignores. */
  shown: z.record(z.string(), z.unknown()).nullable(),
});

export interface Attestation {
  readonly decision: DecisionPayload;
  readonly record: SignedRecord;
  readonly shown: Readonly<Record<string, unknown>> | null;
  readonly keyid: string;
  /** The name of the key in the ring. */
  readonly name: string;
}

/** The folder in the store, its only part meant to be committed. */
const attestationFolder = 'decisions';

/** With sorted members, so that every machine writes the same bytes. */
export function formatAttestation({ decision, record, shown }: Omit<Attestation, 'keyid' | 'name'>): {
  readonly name: string;
  readonly text: string;
} {
  const content = { holdpoint: 'attestation', v: 1, decision, record, shown };
  const text = `${JSON.stringify(JSON.parse(canonicalJson(content)), null, 2)}\n`;
  return { name: fileName(decision.subject, text), text };
}

function fileName(subject: string, text: string): string {
  return `${subject.replace(/[^A-Za-z0-9._-]/g, '_')}-${sha256(text).slice(0, 32)}.json`;
}

/**
 * Checks one file by itself: its name, signature, and that it matches what was signed. Returns the attestation, or the
 * problem.
 */
export function readAttestation(name: string, text: string, trust: Trust): Attestation | { readonly why: string } {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { why: 'is not JSON' };
  }
  const read = readDecision(raw, trust);
  if ('why' in read || name === fileName(read.decision.subject, text)) return read;
  return { why: 'has a name that does not match its content' };
}

function readDecision(raw: unknown, trust: Trust): Attestation | { readonly why: string } {
  const file = attestationFile.safeParse(raw);
  if (!file.success) return { why: 'is not an attestation' };
  const { shown, decision } = file.data;
  const parsed = anyRecord.safeParse(file.data.record);
  if (!parsed.success || !('envelope' in parsed.data)) return { why: 'has no signed decision in it' };
  const record = parsed.data;
  const verified = trust.verify(record.envelope);
  if ('why' in verified) return verified;
  const { payload, keyid, name, passkey } = verified;
  if (hashOf(decision) !== hashOf(payload)) return { why: 'differs from what was signed' };
  if (payload.action !== record.kind || payload.subject !== subjectOf(record))
    return { why: 'reuses a signature given for something else' };
  if (payload.recordHash !== trust.hash(withoutEnvelope(record))) return { why: 'differs from what was signed' };
  if (shown === null ? definitionOf(record).attested : payload.shown !== trust.hash(shown))
    return { why: 'differs from what the human saw' };
  if (asksForPasskey(shown) && !passkey) return { why: 'is not signed with a passkey, which the policy asked for' };
  return { decision: payload, record, shown, keyid, name };
}

/** As the policy was when it was shown; that is part of what was signed. */
function asksForPasskey(shown: Attestation['shown']): boolean {
  const inside = shown?.['question'] ?? shown;
  return typeof inside === 'object' && inside !== null && 'passkey' in inside;
}

export function attest(trust: Trust) {
  const shown = new Map<string, object>();
  const walk = walkJournal({ trust, onBefore: remember });

  function remember(line: CountedLine, state: State): void {
    shown.clear();
    for (const raw of line.records) {
      const parsed = anyRecord.safeParse(raw);
      if (!parsed.success || !('envelope' in parsed.data)) continue;
      const { attested, shown: shownBefore } = definitionOf(parsed.data);
      const seen = attested ? shownBefore(state, parsed.data) : null;
      if (seen) shown.set(trust.hash(seen), seen);
    }
  }

  return {
    walk,
    /** Yields the attestations of each valid line. `bytes` begin at `walk.scanned`. */
    *follow(bytes: Buffer): Generator<readonly Attestation[], void> {
      for (const { line, folded } of walk.follow(bytes)) {
        yield folded.admitted.flatMap(({ record, signed }) => {
          if (!signed || !('envelope' in record)) return [];
          const verified = trust.verify(record.envelope, line.at);
          if ('why' in verified) return [];
          const seen = shown.get(verified.payload.shown) ?? null;
          // A decision among several acts of a line may have been shown a state in between; it cannot be attested.
          if (seen === null && definitionOf(record).attested) return [];
          const { payload, keyid, name } = verified;
          return [{ decision: payload, record, shown: seen && { ...seen }, keyid, name }];
        });
      }
    },
  };
}

export interface Attested {
  readonly attestations: readonly Attestation[];
  /** Files that do not verify, are not valid or were deleted: name or path in the repository, and why. */
  readonly bad: readonly { readonly name: string; readonly why: string }[];
}

/** Whose decisions are valid. */
export interface Accepted {
  readonly trust: Trust;
  /** A decision made in another repository says nothing about this one, even with the same key and number. */
  readonly workspaces: readonly string[];
}

/** As `readAttestation`, for decisions of these workspaces only. */
export function readAccepted(
  name: string,
  text: string,
  { trust, workspaces }: Accepted,
): Attestation | { readonly why: string } {
  const read = readAttestation(name, text, trust);
  return 'why' in read || workspaces.includes(read.decision.workspace)
    ? read
    : { why: `is a decision of the workspace ${read.decision.workspace}, which the file of keys does not name` };
}

export interface Written {
  readonly total: number;
  readonly written: readonly string[];
}

/**
 * Writes missing attestations; never changes existing files.
 * @throws Error when the disk refuses
 */
export function writeAttestations(workspace: Workspace, attestations: readonly Attestation[]): Written {
  const { fs, newId } = workspace.options;
  const folder = path.join(workspace.location.root, storeFolder, attestationFolder);
  const written: string[] = [];
  if (attestations.length > 0) prepare(workspace, folder);
  for (const attestation of attestations) {
    const { name, text } = formatAttestation(attestation);
    const file = path.join(folder, name);
    if (fs.existsSync(file)) continue;
    replaceFile(fs, file, Buffer.from(text), `${file}.${newId()}.tmp`);
    written.push(name);
  }
  return { total: attestations.length, written };
}

/**
 * Attests all decisions of the journal.
 * @throws Error where the chain breaks
 */
export function attestAll(workspace: Workspace, trust: Trust): Attestation[] {
  const attesting = attest(trust);
  const all = [...attesting.follow(journalBytes(workspace))].flat();
  const { fault } = attesting.walk;
  if (fault) throw new Error(`the chain breaks: ${fault.why}`);
  return all;
}

const localOnly = '*\n';
const butDecisions = '!/decisions/\n!/decisions/*.json\n';

/**
 * Ensures a plain folder of ours that git does not ignore.
 * @throws Error when something else has its name
 */
function prepare({ options: { fs, newId }, location }: Workspace, folder: string): void {
  const there = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) throw new Error(`${folder} is not a folder but a link or file`);
  if (!there) fs.mkdirSync(folder, { mode: 0o700 });
  const ignore = path.join(location.root, storeFolder, '.gitignore');
  const text = fs.existsSync(ignore) ? fs.readFileSync(ignore, 'utf8') : '';
  // Changes only a file that we wrote.
  if (text.startsWith('# Written by Holdpoint') && text.endsWith(localOnly))
    replaceFile(fs, ignore, Buffer.from(text + butDecisions), `${ignore}.${newId()}.tmp`);
}
