/** Converts an audit to the view model of its tab. */
import * as l10n from '@vscode/l10n';
import { isUnsignedHuman } from '../../app/audit/unsignedHuman.ts';
import type { AuditEntry, AuditSummary } from '../../app/audit/audit.ts';
import { hasItem } from '../../core/waiting/items.ts';
import type { AuditFilter, AuditRow, AuditView } from '../../protocol/audit/audit.ts';
import { hashOf } from '../../trust/canonical.ts';
import { isExportable } from './auditRun.ts';
import type { AuditRun } from './auditRun.ts';
import type { Offered } from '../kit/folderChoice.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { problemWords } from '../../ui/kit/problemWords.ts';
import type { SignerStanding } from '../../ui/surface/keys.ts';

export interface AuditModelOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly run: AuditRun;
  readonly standing: SignerStanding;
  readonly filter: AuditFilter;
  /** Maximum number of rows; the latest are shown. */
  readonly limit: number;
  readonly offered: Offered;
}

export function auditModel(options: AuditModelOptions): AuditView {
  const { folder, run, standing, filter, limit, offered } = options;
  const summary = run.audit.summary();
  const fitting = run.audit.entries.filter((entry) => fits(entry, filter));
  const faults = faultsOf(folder, run, summary.forged);
  return {
    type: 'audit',
    ...offered,
    checked: run.checked,
    faults,
    acts: summary.acts,
    decisions: summary.decisions,
    signers: summary.signers.map(({ name, keyid, decisions }) => ({ name, key: keyid.slice(0, 16), decisions })),
    filter,
    matching: fitting.length,
    rows: fitting
      .slice(-limit)
      .reverse()
      .map((entry) => row(options, summary, entry)),
    shown: hashOf(summary),
    export: !isExportable(run) ? 'no' : standing.kind === 'enrolled' ? 'sealed' : 'unsealed',
  };
}

function faultsOf({ workspace }: OpenFolder, { audit, savedFault }: AuditRun, forged: number): string[] {
  const { fault } = audit.walk;
  const { problem } = workspace.standing();
  return [
    ...(fault ? [l10n.t('The chain breaks at byte {0}. Later records are not shown.', fault.at)] : []),
    ...(problem ? [problemWords(problem)] : []),
    ...(savedFault === null
      ? []
      : [
          l10n.t(
            'The saved state that gates and hooks start from differs from the journal, so another program wrote it. Stop all agents, delete the files .holdpoint/holdpoint-* and open the audit trail again.',
          ),
        ]),
    ...(forged > 0 ? [l10n.t('Forged decisions: {0}. They had no effect.', forged)] : []),
  ];
}

function fits(entry: AuditEntry, { scope, text, about }: AuditFilter): boolean {
  const { mark, subject, work, who, actor, said } = entry;
  if (scope === 'decisions' && mark !== 'verified' && mark !== 'forged') return false;
  if (scope === 'attempts' && mark !== 'forged') return false;
  if (about !== undefined && subject !== about && !work.includes(about)) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  return [subject, who, actor, said ?? '', entry.kind, ...work].some((part) => part.toLowerCase().includes(wanted));
}

function row({ folders, folder, run }: AuditModelOptions, summary: AuditSummary, entry: AuditEntry): AuditRow {
  const { at, index, time, mark, kind, subject, work, who, keyid, said, why } = entry;
  const isPasskey = entry.signed_with === 'passkey';
  return {
    ...{ at, index, time, mark },
    kind: short(kind),
    subject: short(subject),
    ...(hasItem(run.audit.walk.state, subject) ? { open: folders.keyOf(folder, subject) } : {}),
    work: work.map(short),
    who: short(who),
    ...(keyid === null ? {} : { key: keyid.slice(0, 16) }),
    ...(isUnsignedHuman(entry, summary) ? { unsigned: true as const } : {}),
    ...(entry.key_of === null ? {} : { keyOf: short(entry.key_of) }),
    ...(isPasskey ? { passkey: true as const } : {}),
    ...(said === null ? {} : { said: short(said) }),
    ...(why === null ? {} : { why: short(why) }),
  };
}

/** Forged records can contain text of any length. */
function short(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
