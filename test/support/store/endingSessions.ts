/** What the runbook in docs/team.md does with SQL: ends sessions that hold everybody up. */
import type { Server } from '../../../src/store/shared/server.ts';

export async function endTurns({ session }: Server, workspace: string): Promise<number> {
  const rows = await session.call<{ ended: number }>('writing', 'select holdpoint.end_turns($1) as ended', [workspace]);
  return rows[0]?.ended ?? 0;
}

export async function endSessions({ session }: Server, workspace: string, login: string): Promise<number> {
  const text = 'select holdpoint.end_sessions($1, $2) as ended';
  const rows = await session.call<{ ended: number }>('writing', text, [workspace, login]);
  return rows[0]?.ended ?? 0;
}
