/** Tables of what humans asked back about questions. */
export interface AskBackTables {
  ask_backs: {
    question_id: string;
    number: number;
    text: string;
    asked_by: string;
    asked_at: string;
    reply: string | null;
    replied_by: string | null;
    replied_at: string | null;
  };
  /** `session`: the session of the last offer, or the empty string. */
  ask_back_deliveries: {
    question_id: string;
    number: number;
    agent_id: string;
    session: string;
    offered_at: string;
    acknowledged_at: string | null;
  };
}

export const askBackSchema: readonly string[] = [
  `CREATE TABLE ask_backs (
    question_id TEXT NOT NULL REFERENCES questions(id), number INTEGER NOT NULL, text TEXT NOT NULL,
    asked_by TEXT NOT NULL, asked_at TEXT NOT NULL, reply TEXT, replied_by TEXT, replied_at TEXT,
    PRIMARY KEY (question_id, number), CHECK ((reply IS NULL) = (replied_at IS NULL))) STRICT`,
  `CREATE INDEX ask_backs_open ON ask_backs (question_id) WHERE reply IS NULL`,
  `CREATE TABLE ask_back_deliveries (
    question_id TEXT NOT NULL REFERENCES questions(id), number INTEGER NOT NULL, agent_id TEXT NOT NULL,
    session TEXT NOT NULL, offered_at TEXT NOT NULL, acknowledged_at TEXT,
    PRIMARY KEY (question_id, number, agent_id)) STRICT`,
];
