/** Texts of mirrors: a request for its target and for its origin, a question, an RFC. Pure: rows in, Markdown out. */

import { questionTexts, shownPayload } from '../../core/kit/fields.ts';
import { cleanPath, PathError } from '../../core/kit/paths.ts';
import { commentsIn } from '../../core/kit/markdownComments.ts';
import { hidesSomething, visibleJson, visibleText } from '../../core/kit/visible.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { AskBackView, QuestionView } from '../question/views.ts';
import type { RequestDetails } from '../request/views.ts';
import type { RfcView } from '../rfc/views.ts';
import { signedWithWords } from '../../core/state/quorum.ts';

// Builds a mirror: front matter, a body and a stamp. Text by agents and people is quoted or escaped, so it can neither
// end the front matter nor pose as something else.

// Neutralises links in Markdown documents: VS Code follows links in Markdown source by any scheme, `command:` among
// them. In agents' text, links that could run or open something lead nowhere: their colon is encoded, and they stay
// readable.

/** Places where Markdown, or HTML in it, starts a link target. Only these schemes, because much code looks like one. */
const target =
  /(\]\(\s*<?\s*|\]:\s*<?\s*|<|\b(?:href|src)\s*=\s*["']?\s*)(command|vscode[a-z-]*|file|javascript|vbscript):(?=\S)/gi;

export function withoutCommands(markdown: string): string {
  return markdown.replace(target, '$1$2%3A');
}

type Scalar = string | number | boolean | null;

/** A mirror without its stamp. Every key is on one line, so no line of a value can be `---`. */
export function frontMattered(keys: Readonly<Record<string, Scalar>>, body: string): string {
  const lines = Object.entries(keys).map(([key, value]) => `${keyLine(key, value)}\n`);
  return `---\n${lines.join('')}---\n\n${body.trimEnd()}\n`;
}

/** Words that some version of YAML does not read as a string. */
const yamlWord = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** Plain words, times, and ids and hashes in which a letter excludes a number: YAML reads them as they are. */
const asItIs =
  /^(?:[A-Za-z](?:[\w.@/-]|[ :](?=\w))*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\d(?=[\de-]*[a-df])[\da-f-]{35,})$/;

/** Other text is written as JSON, which is valid YAML, with its hidden characters escaped. */
function keyLine(key: string, value: Scalar): string {
  const plain = typeof value !== 'string' || (asItIs.test(value) && !yamlWord.test(value));
  return `${key}: ${plain ? String(value) : visibleJson(value)}`;
}

const stampLine = /\n<!-- Written by Holdpoint from its journal; edits here are lost\. ([0-9a-f]{64}) -->\n$/;

/** Appends the last line: a hash of everything before it, which reveals manual edits. */
export function addStamp(text: string): string {
  return `${text}\n<!-- Written by Holdpoint from its journal; edits here are lost. ${hashOf(text)} -->\n`;
}

/** Whether a file is a mirror as it was written. */
export function isUntouched(file: string): boolean {
  const stamp = stampLine.exec(file);
  return stamp !== null && hashOf(file.slice(0, stamp.index)) === stamp[1];
}

const lineBreak = /\r\n|[\n\r\u2028\u2029]/;

/** The start of a link definition for the mark of our own ticked boxes, `[x]`, which would lead there. */
const tickDefinition = /\[(?=[\s>]*x[\s>]*\]:)/gi;

export function asBlockQuote(text: string): string {
  return visibleText(withoutCommands(text).replace(tickDefinition, '\\['))
    .split(lineBreak)
    .map((line) => (line === '' ? '>' : `> ${line.replaceAll('<', '&lt;')}`))
    .join('\n');
}

/** Quotes a document: comments on lines of their own are folded where the viewer supports it. */
export function quotedDocument(text: string): string {
  let at = 0;
  const parts: string[] = [];
  for (const { from, to } of commentsIn(text)) {
    const alone = /(?:^|\n)[ \t]*$/.test(text.slice(at, from)) && /^[ \t]*(?:\n|$)/.test(text.slice(to));
    if (!alone) continue;
    parts.push(asBlockQuote(text.slice(at, from).trim()), foldComment(text.slice(from + 4, to - 3)));
    at = to;
  }
  parts.push(asBlockQuote(text.slice(at).trim()));
  return parts.filter((part) => part !== '>').join('\n>\n');
}

function foldComment(comment: string): string {
  return `> <details><summary>Comment</summary>\n>\n${asBlockQuote(comment.replace(/^-+|-+$/g, '').trim())}\n>\n> </details>`;
}

/** Foreign text within a line of ours, with all markup escaped. */
export function inline(text: string): string {
  return visibleText(text.replace(/[\s\u2028\u2029]+/gu, ' '))
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!&]/g, '\\$&');
}

/**
 * A link given by an agent or person. A workspace path is linked relative to the mirror, a URL is shown as such,
 * anything else is text.
 * @param up from the mirror's folder to the root, for example `../../..`
 */
export function relativeLink(link: string, up: string): string {
  if (/^https?:\/\/[^\s<>\\`"]+$/i.test(link) && !hidesSomething(link)) return `<${link}>`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return inline(link);
  try {
    const path = cleanPath(link);
    const target = [up, ...path.split('/').map((part) => encodeURIComponent(part))].join('/');
    return `[${inline(path)}](${target.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return inline(link);
  }
}

export function heading(title: string, lines: readonly (string | null)[]): string | null {
  const said = lines.filter((line) => line !== null);
  return said.length === 0 ? null : `## ${title}\n\n${said.join('\n')}`;
}

/** Joins parts with an empty line between them. */
export function parts(...all: readonly (string | null)[]): string {
  return all.filter((part) => part !== null && part !== '').join('\n\n');
}

/** From `.holdpoint/queue/inbox` and from `.holdpoint/questions` to the root. */
const fromQueue = '../../..';
const fromFolder = '../..';

/**
 * The front matter has a fixed key order, because mirrors are compared as text.
 * @param up from the document's folder to the root, for links
 */
export function requestMirror(request: RequestDetails, box: 'inbox' | 'outbox', up = fromQueue): string {
  const { payload, steps, work, events } = request;
  const bundles = 'bundle_ids' in payload ? payload.bundle_ids : [];
  const objectives = 'objectives' in payload ? [payload.objectives].flat() : [];
  const hints = 'user_hints' in payload ? (payload.user_hints?.suggested_responsibilities ?? []) : [];
  const links = [...(request.body_md_path === null ? [] : [request.body_md_path]), ...payload.links];
  const body = parts(
    `# ${request.id}: ${inline(request.subject)}`,
    box === 'inbox'
      ? `Asked of **${inline(request.target_responsibility_id)}** by ${inline(request.origin_responsibility_id)}.`
      : `Asked by **${inline(request.origin_responsibility_id)}** of ${inline(request.target_responsibility_id)}.`,
    heading('Intent', [asBlockQuote(request.summary)]),
    heading('Suggested actions', payload.suggested_actions.map(toDo)),
    heading('Bundles', bundles.map(item)),
    heading('Objectives', objectives.map(item)),
    heading('May concern', hints.map(item)),
    request.type === 'ingest_new_context' && request.accepted_at !== null
      ? heading(
          "The steward's steps",
          (['normalise', 'lineage', 'dispatch'] as const).map((step) => `- [${checkbox(steps, events, step)}] ${step}`),
        )
      : null,
    heading(
      'Links',
      links.map((link) => `- ${relativeLink(link, up)}`),
    ),
    heading('Tags', payload.tags.map(item)),
    section('Payload', shownPayload(request.payload_json)),
    heading('Work', work.map(item)),
    heading('Last note', [request.note === null ? null : asBlockQuote(request.note)]),
    heading('Last error', [request.last_error === null ? null : asBlockQuote(request.last_error)]),
    heading(
      'History',
      events.map(({ created_at, event_type, created_by, created_agent_id, note }) => {
        const said = note === null ? '' : `: ${inline(note)}`;
        return `- ${created_at} ${event_type.replaceAll('_', ' ')} by ${inline(created_agent_id ?? created_by)}${said}`;
      }),
    ),
  );
  return frontMattered(
    {
      type: request.type,
      request_id: request.id,
      db_source: 'local_sql',
      status: request.status,
      origin_responsibility_id: request.origin_responsibility_id,
      target_responsibility_id: request.target_responsibility_id,
      origin_mandate_id: request.origin_mandate_id,
      priority: request.priority,
      authored_by: request.authored_by,
      author_agent_id: request.author_agent_id,
      created_at: request.created_at,
      available_at: request.available_at,
      due_at: request.due_at,
      source_context: request.source_context,
      workspace_id: request.workspace_id,
    },
    body,
  );
}

/** For a settled request, steps are only in its history. */
function checkbox(steps: readonly string[], events: RequestDetails['events'], step: string): 'x' | ' ' {
  return steps.includes(step) || events.some(({ event_type }) => event_type === `step_${step}`) ? 'x' : ' ';
}

export function questionMirror(question: QuestionView, workspace: string, up = fromFolder): string {
  const { answer } = question;
  const said = [...(answer?.choices.map(item) ?? []), answer?.text == null ? null : asBlockQuote(answer.text)];
  const body = parts(
    `# ${question.id}`,
    asBlockQuote(question.text),
    heading(
      'Choices',
      question.choices.map(({ label, description, recommended }) => {
        const picked = answer?.choices.includes(label) ? 'x' : ' ';
        const more = description === undefined ? '' : `: ${inline(description)}`;
        return `- [${picked}] ${inline(label)}${recommended ? ' (recommended)' : ''}${more}`;
      }),
    ),
    ...questionTexts.map(({ title, view }) => section(title, question[view])),
    section('Payload', shownPayload(question.payload_json)),
    heading('Considered', question.alternatives.map(item)),
    heading('Holds', [...question.blocks.map(({ id, title }) => item(`${title} (${id})`)), ...heldFiles(question)]),
    heading(
      'Files',
      question.files.map(
        ({ path, line }) => `- ${relativeLink(path, up)}${line === undefined ? '' : `, line ${String(line)}`}`,
      ),
    ),
    heading('Asked back', [parts(...question.ask_backs.map(exchange)) || null]),
    heading('Refused', refusal(question)),
    heading('Answer', said),
    section('Note', question.note),
  );
  return frontMattered(
    {
      type: 'question',
      question_id: question.id,
      db_source: 'local_sql',
      status: question.status,
      resolution: question.resolution,
      effect: question.effect,
      approved: question.approved,
      lifted_at: question.lifted?.at ?? null,
      question_type: question.type,
      urgency: question.urgency,
      mode: question.mode,
      holding: question.holding,
      work_id: question.work?.id ?? null,
      agent_id: question.agent_id,
      for: question.for,
      raised_at: question.raised_at,
      expires_at: question.expires_at,
      answered_by: question.answered_by,
      signed_with: question.signed_with,
      answered_at: question.answered_at,
      workspace_id: workspace,
    },
    body,
  );
}

export function rfcMirror(rfc: RfcView, workspace: string): string {
  const work = [...rfc.affected_workflows, ...rfc.blocked_tasks];
  const body = parts(
    `# ${rfc.id}: ${inline(rfc.title)}`,
    revisionLine(rfc),
    ...rfc.sections.map((one) => heading(inline(one.heading), [quotedDocument(one.text)])),
    heading(
      'Alternatives in detail',
      rfc.alternatives.flatMap(({ name, description, pros, cons }) => [
        `- **${inline(name)}**${description === undefined ? '' : `: ${inline(description)}`}`,
        ...pros.map((text) => `  - for: ${inline(text)}`),
        ...cons.map((text) => `  - against: ${inline(text)}`),
      ]),
    ),
    heading(
      'Questions',
      rfc.questions.map(({ text, state, human }) => {
        const answered = human?.answer == null ? '' : `: ${inline(human.answer)}`;
        return `- [${human?.answer == null ? ' ' : 'x'}] ${inline(text)} (${state.replaceAll('_', ' ')})${answered}`;
      }),
    ),
    heading('Holds', [...work.map(({ id, title }) => item(`${title} (${id})`)), ...heldFiles(rfc)]),
    heading('Conditions', (rfc.approval?.conditions ?? []).map(item)),
    heading('Constraints', (rfc.approval?.constraints ?? []).map(item)),
    heading(
      'Decisions',
      rfc.decisions.map(({ action, revision, by, at, reason, then, waived, signed_with: signed }) => {
        const which = revision === null ? '' : ` (revision ${String(revision)})`;
        const stops = then === 'stop' ? ', and the work stopped' : '';
        const without = waived.length === 0 ? '' : `, without answers to open questions ${waived.join(', ')}`;
        return `- ${at} ${action.replaceAll('_', ' ')}${which} by ${inline(by)}${signedWithWords(signed)}${stops}${without}${reason === null ? '' : `: ${inline(reason)}`}`;
      }),
    ),
  );
  return frontMattered(
    {
      type: 'rfc',
      rfc_id: rfc.id,
      db_source: 'local_sql',
      status: rfc.status,
      amendment: rfc.amendment,
      title: rfc.title,
      revision: rfc.revision,
      revision_hash: rfc.revisions.at(-1)?.hash ?? null,
      approved_revision: rfc.approval?.revision ?? null,
      text_revision: rfc.text_revision,
      holding: rfc.holding,
      agent_id: rfc.agent_id,
      for: rfc.for,
      proposed_at: rfc.proposed_at,
      updated_at: rfc.updated_at,
      workspace_id: workspace,
    },
    body,
  );
}

function revisionLine({ approval, amendment, text_revision: shown, revision }: RfcView): string {
  const text = `Revision ${String(shown)} of ${String(revision)}`;
  if (approval === null) return `${text}.`;
  if (shown !== approval.revision)
    return `${text}, an amendment that is not approved. Revision ${String(approval.revision)} stays in force.`;
  return amendment === null && shown !== revision
    ? `${text}, which is in force. The amendment after it was rejected.`
    : `${text}, which is in force.`;
}

/** What a human refused with the answer; null where nothing was refused. */
function refusal({ effect, lifted, answered_by }: QuestionView): string[] {
  if (effect === null || effect === 'proceed') return [];
  const by = inline(answered_by ?? 'a human');
  const refused =
    effect === 'stop'
      ? `Refused by ${by}. The work stopped.`
      : `Refused by ${by}. The rest of the task may continue another way.`;
  return [refused, ...(lifted ? [`Lifted by ${inline(lifted.by)}, ${lifted.at}: ${inline(lifted.reason)}`] : [])];
}

/** What a human asked the agent, and its reply. An empty line ends a quote; else the next line would belong to it. */
function exchange({ text, asked_by, asked_at, reply, replied_by, replied_at }: AskBackView): string {
  return parts(
    `${inline(asked_by)}, ${asked_at}:\n${asBlockQuote(text)}`,
    reply === null ? null : `${inline(replied_by ?? '')}, ${replied_at ?? ''}:\n${asBlockQuote(reply)}`,
  );
}

/** The named files, or a note that a human widened the hold to every file. */
function heldFiles({ holds, all_files: all }: Pick<QuestionView, 'holds' | 'all_files'>): string[] {
  return all ? [item(`All files of this workspace, by ${all.by} since ${all.at}`)] : holds.map(item);
}

function section(title: string, text: string | null): string | null {
  return text === null ? null : heading(title, [asBlockQuote(text)]);
}

const item = (text: string) => `- ${inline(text)}`;
const toDo = (text: string) => `- [ ] ${inline(text)}`;
