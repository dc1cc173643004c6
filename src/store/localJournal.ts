/** The journal of one machine: the file's end is the lock, so an act is committed before `commit` returns. */
import type { Actor, RecordInput } from '../core/records/records.ts';
import type { State } from '../core/state/state.ts';
import type { Ledger } from './journal/ledger.ts';
import { StoreError, messageOf, unknownOutcome } from './journal/problem.ts';
import type { StoreOptions } from './opened.ts';
import type { Act, Opened, View } from './rows/journalPort.ts';

const reopeningsAllowed = 3;

type LocalOptions = Pick<StoreOptions, 'newId' | 'onLine'>;

export function localJournal(opened: Opened, { newId, onLine }: LocalOptions) {
  return { commit };

  function commit<T>(actor: Actor, decide: (view: View) => Act<T>, op = newId()): T {
    /** The result of an attempt whose outcome is unknown. */
    let last: { result: T } | null = null;
    let reopenings = 0;
    opened.expect(op);
    try {
      for (;;) {
        opened.ledger.catchUp();
        if (last !== null && opened.ledger.problem) throw unknownOutcome(opened.ledger.problem.message);
        if (last !== null && opened.hasCounted()) {
          if (isDurable()) return last.result;
        } else {
          opened.requireWritable();
          const act = decide(opened.view());
          requireUnshared(opened.ledger.state, act.records);
          if (act.records.length === 0) {
            flush();
            return act.result;
          }
          last = { result: act.result };
          const outcome = attempt(op, actor, act.records);
          if (outcome === 'won') return act.result;
          if (outcome === 'lost') {
            last = null;
            continue;
          }
        }
        if (++reopenings > reopeningsAllowed) throw unknownOutcome('The disk does not confirm writes. Check it.');
        opened.expect(op);
        opened.reopen();
      }
    } finally {
      opened.expect(null);
    }
  }

  /** Once a journal is shared, its server decides what comes next. Only a human's signature brings it back. */
  function requireUnshared({ shared }: State, records: readonly RecordInput[]): void {
    if (!shared || records.length === 0 || records.some(({ kind }) => kind === 'store.unshared')) return;
    throw new StoreError(
      'offline',
      `nothing was saved: this workspace is shared as ${shared.name}, and this program is not connected to it`,
    );
  }

  /** A "already there" answer must be durable too: another program may have written the record a moment ago. */
  function flush(): void {
    try {
      opened.ledger.flush();
    } catch (cause) {
      throw new StoreError('disk', `the disk does not confirm earlier writes: ${messageOf(cause)}`, { cause });
    }
  }

  function isDurable(): boolean {
    try {
      opened.ledger.sync();
      return true;
    } catch {
      return false;
    }
  }

  /** One attempt: fold, append, then keep or undo by the outcome. */
  function attempt(op: string, actor: Actor, records: readonly RecordInput[]): 'won' | 'lost' | 'unknown' {
    const { ledger, index } = opened;
    const { line, bytes, folded } = opened.prepare(op, actor, records);
    let outcome: ReturnType<Ledger['append']>;
    try {
      outcome = ledger.append(bytes, line.at);
    } catch (cause) {
      folded.undo();
      throw cause;
    }
    if (outcome.outcome === 'won') {
      index.follow(ledger.state, folded.admitted);
      ledger.advance(line);
      onLine?.(line, folded, ledger.state);
      return 'won';
    }
    folded.undo();
    if (outcome.outcome === 'failed')
      throw new StoreError('disk', `nothing was saved: ${messageOf(outcome.cause)}`, { cause: outcome.cause });
    return outcome.outcome;
  }
}
