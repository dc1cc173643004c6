/**
 * Shows a human that a question waits, in clients that can open a link (URL elicitation): the link opens its form, where
 * the human signs. Accepting, declining or ignoring it decides nothing: unless it was accepted, the text has the link too.
 */
import { raisedOf } from '../core/state/state.ts';
import {
  inputRequired,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { localOrigin, readSecret, servePort } from '../app/serving/editorLink.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { waitsForHuman } from '../core/state/askBack.ts';
import { undecidedQuestions } from '../core/state/undecided.ts';
import { firstLine } from '../core/kit/text.ts';
import type { ToolResult } from '../tools/kit/operation.ts';
import { dataKey } from './calls.ts';
import type { Connection } from './connection.ts';

const longMs = 24 * 60 * 60_000;

/** In the editor if one runs this program or nothing serves pages; else the page. Either only opens the form. */
export function formLink(workspace: Workspace, id: string): string {
  const { env } = workspace.options;
  const inEditor = env['TERM_PROGRAM'] === 'vscode' || env['VSCODE_PID'] !== undefined;
  const isServed = readSecret(workspace, servePort) !== null;
  const base = isServed && !inEditor ? localOrigin(servePort) : 'vscode://holdpoint.holdpoint';
  const of = workspace.standing().state?.workspace?.id;
  return `${base}/open/${id}${of === undefined ? '' : `?workspace=${encodeURIComponent(of)}`}`;
}

interface Shown {
  readonly message: string;
  readonly url: string;
}

function shownOf(workspace: Workspace, id: string): Shown {
  const { state } = workspace.standing();
  const question = state?.questions.get(id);
  const text = state && question ? `: ${firstLine(raisedOf(state, question).text)}` : '';
  return { message: `${id} needs your decision${text}`, url: formLink(workspace, id) };
}

/** In the 2025 era, the server asks the client while the call waits: once for each question. */
export function showForms({ workspace, forms, closing }: Connection, agent: string, { mcpReq }: ServerContext): void {
  const { state } = workspace.standing();
  if (!state) return;
  for (const question of undecidedQuestions(state)) {
    const { id, mode, asker } = question;
    if (mode !== 'sync' || asker.id !== agent || !waitsForHuman(question) || forms.has(id)) continue;
    const closed = new AbortController();
    forms.set(id, closed);
    const signal = AbortSignal.any([closed.signal, closing]);
    mcpReq
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated for the later era only
      .elicitInput(
        { mode: 'url', elicitationId: `${state.workspace?.id ?? ''}/${id}`, ...shownOf(workspace, id) },
        { signal, timeout: longMs },
      )
      .then(
        ({ action }) => action !== 'accept' && closed.abort(),
        () => undefined, // the client has gone
      );
  }
}

/** Ends what clients show of questions that are decided. */
export function closeForms({ workspace, forms }: Connection): void {
  const { state } = workspace.standing();
  for (const [id, closed] of forms)
    if (state && !state.undecided.has(id)) {
      closed.abort();
      forms.delete(id);
    }
}

/** In the 2026 era, the client shows it and repeats the call, which then waits. Null if the result itself is needed. */
export function askToShow({ workspace, forms }: Connection, result: CallToolResult): InputRequiredResult | null {
  const { id = '', mode } = dataOf(result).question ?? {};
  if (!onlyWaits(result) || mode !== 'sync' || forms.has(id)) return null;
  forms.set(id, new AbortController());
  return inputRequired({ inputRequests: { [id]: inputRequired.elicitUrl(shownOf(workspace, id)) } });
}

/** Whether the result says nothing but that a human has not decided yet: the call may be made again. */
export function onlyWaits(result: CallToolResult): boolean {
  const data = dataOf(result);
  return waitsForDecision(data) && !Object.keys(data).some((key) => key.startsWith('also'));
}

/** The question that the client of the 2026 era was asked to show, when it repeats the call. */
export function shownQuestion({ forms }: Connection, { inputResponses = {} }: Answered): string | null {
  for (const [id, response] of Object.entries(inputResponses)) {
    const closed = forms.get(id);
    if (!closed) continue;
    if ((response as { readonly action?: unknown } | null)?.action !== 'accept') closed.abort();
    return id;
  }
  return null;
}

interface Answered {
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
}

/** @param opensLinks false for clients that cannot show it themselves */
export function linkLine({ workspace, forms }: Connection, { data }: ToolResult, opensLinks: boolean): string {
  const { question } = data as Data;
  if (!question || !waitsForDecision(data)) return '';
  const isShown = opensLinks && forms.get(question.id)?.signal.aborted === false;
  return isShown ? '' : `\nYour human decides it here: ${formLink(workspace, question.id)}`;
}

function waitsForDecision({ result, question }: Data): boolean {
  return result === 'waiting' && question?.waiting_for === 'human';
}

interface Data {
  readonly result?: string;
  readonly question?: { readonly id: string; readonly mode: string; readonly waiting_for: string };
}

function dataOf({ _meta }: CallToolResult): Data {
  return _meta?.[dataKey] ?? {};
}
