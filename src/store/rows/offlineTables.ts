/** The table of what was allowed while the server of a shared journal did not answer. */
export interface OfflineTables {
  offline_spans: {
    span: string;
    since: string;
    first_at: string;
    last_at: string;
    count: number;
    agents: string;
    paths: string;
    more: number;
    recorded_at: string;
  };
}

export const offlineSchema: readonly string[] = [
  `CREATE TABLE offline_spans (
    span TEXT PRIMARY KEY, since TEXT NOT NULL, first_at TEXT NOT NULL, last_at TEXT NOT NULL, count INTEGER NOT NULL,
    agents TEXT NOT NULL, paths TEXT NOT NULL, more INTEGER NOT NULL, recorded_at TEXT NOT NULL) STRICT`,
];
