/** The table of noted waits: one row for each call in which an agent waited, if its host says what its context is. */
export interface WaitTables {
  waits: {
    /** Offset of the line in the journal. */
    position: number;
    /** The first of the questions and RFCs. */
    item_id: string;
    /** All of them, as JSON. */
    item_ids: string;
    agent_id: string;
    /** The host's session, or the empty string. */
    session: string;
    used_at: string;
    /** When the call returned at the latest; null where the agent ended its turn. */
    call_ends_at: string | null;
    tokens: number;
    cached: number | null;
    cache_seconds: number | null;
    model: string | null;
  };
}

export const waitSchema: readonly string[] = [
  `CREATE TABLE waits (
    position INTEGER NOT NULL, item_id TEXT NOT NULL, item_ids TEXT NOT NULL,
    agent_id TEXT NOT NULL, session TEXT NOT NULL, used_at TEXT NOT NULL, call_ends_at TEXT, tokens INTEGER NOT NULL,
    cached INTEGER, cache_seconds INTEGER, model TEXT, PRIMARY KEY (position, item_id)) STRICT`,
];
