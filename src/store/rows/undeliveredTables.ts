/**
 * Outcomes of questions that their recipients have not confirmed. Each tool call asks for those of its agent, so triggers
 * keep them: finding them among all decided questions takes longer in each year of a project.
 */
export interface UndeliveredTables {
  undelivered: { question_id: string; agent_id: string };
}

/** As `recipientOf` (core/state/askBack.ts) has it. */
const person = (agent: string) => `substr(${agent}, 1, instr(${agent}, '/'))`;
export const recipient = `coalesce(iif(${person('work_items.assigned_agent')} = ${person('questions.agent_id')},
  work_items.assigned_agent, NULL), rfcs.agent_id, questions.agent_id)`;

const found = `SELECT questions.id, ${recipient} FROM questions
  LEFT JOIN work_items ON work_items.id = questions.work_id
  LEFT JOIN rfcs ON rfcs.id = questions.rfc_id
  LEFT JOIN deliveries ON deliveries.question_id = questions.id AND deliveries.agent_id = ${recipient}
  WHERE questions.status IN ('answered', 'cancelled', 'expired')
    AND questions.resolution IN ('answered', 'cancelled', 'released') AND deliveries.acknowledged_at IS NULL`;

/** Looks at some questions again. */
const again = (ids: string) => `BEGIN
  DELETE FROM undelivered WHERE question_id IN (${ids});
  INSERT INTO undelivered ${found} AND questions.id IN (${ids}); END`;

/** After the tables that it names. A question names work and RFCs that exist, and no RFC changes its author. */
export const undeliveredSchema = [
  `CREATE TABLE undelivered (question_id TEXT PRIMARY KEY REFERENCES questions(id), agent_id TEXT NOT NULL) STRICT`,
  `CREATE INDEX undelivered_by_agent ON undelivered (agent_id)`,
  `INSERT INTO undelivered ${found}`,
  `CREATE TRIGGER question_imported AFTER INSERT ON questions WHEN new.resolution IS NOT NULL ${again('new.id')}`,
  `CREATE TRIGGER question_decided AFTER UPDATE OF status, resolution ON questions
    WHEN new.status <> old.status OR new.resolution IS NOT old.resolution ${again('new.id')}`,
  `CREATE TRIGGER outcome_confirmed AFTER UPDATE OF acknowledged_at ON deliveries ${again('new.question_id')}`,
  `CREATE TRIGGER outcome_renewed AFTER DELETE ON deliveries ${again('old.question_id')}`,
  `CREATE TRIGGER work_reassigned AFTER UPDATE OF assigned_agent ON work_items
    WHEN new.assigned_agent IS NOT old.assigned_agent ${again('SELECT id FROM questions WHERE work_id = new.id')}`,
];
