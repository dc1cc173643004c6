/** The table of resume briefs, the latest of each question. The state has only who parked it and when. */
export interface ParkedBriefTables {
  parked_briefs: {
    question_id: string;
    agent_id: string;
    parked_at: string;
    doing: string;
    next: string;
    /** JSON. */
    files: string;
    check_first: string | null;
  };
}

export const parkedBriefSchema: readonly string[] = [
  `CREATE TABLE parked_briefs (
    question_id TEXT PRIMARY KEY REFERENCES questions(id), agent_id TEXT NOT NULL, parked_at TEXT NOT NULL,
    doing TEXT NOT NULL, next TEXT NOT NULL, files TEXT NOT NULL, check_first TEXT) STRICT`,
];
