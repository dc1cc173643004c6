/** Puts back what a server has lost since it was restored from an old backup: all of it at once, or nothing. */
import type { Row, Server } from './server.ts';
import { ServerError } from './serverError.ts';

export interface Lost {
  /** Lines that follow the server's last one, in order. */
  readonly lines: readonly Row[];
  /** Records that follow those of the server's key ring. */
  readonly records: readonly Uint8Array[];
  /** How many rows the server's key ring has now. */
  readonly after: number;
}

interface Outcome {
  readonly outcome: string;
}

/**
 * With a human's login; records of the key ring need an administrator's. Nobody else appends meanwhile.
 * @returns false when the server does not end where these begin: nothing was written then
 * @throws ServerError; nothing was written, unless its code is `unknown`
 */
export async function putBack(
  { session }: Server,
  workspace: string,
  { lines, records, after }: Lost,
): Promise<boolean> {
  return session.together(async (call) => {
    const done = async (text: string, values: readonly unknown[]): Promise<boolean> => {
      const [row] = await call<Outcome>('reading', text, values);
      return row?.outcome === 'won';
    };
    await call('reading', 'begin');
    try {
      await call('reading', 'select outcome from holdpoint.take_turn($1, $2) limit 1', [workspace, endOfAll]);
      let fits = true;
      for (const [index, record] of records.entries())
        fits &&= await done('select holdpoint.append_ring($1, $2, $3) as outcome', [workspace, record, after + index]);
      for (const { bytes } of lines)
        fits &&= await done('select outcome from holdpoint.append_human($1, $2) limit 1', [workspace, bytes]);
      await call('writing', fits ? 'commit' : 'rollback');
      return fits;
    } catch (error) {
      if (!(error instanceof ServerError) || (error.code !== 'offline' && error.code !== 'unknown'))
        await call('reading', 'rollback').catch(() => undefined);
      throw error;
    }
  });
}

/** So that the server does not send rows that this machine has. */
const endOfAll = Number.MAX_SAFE_INTEGER;
