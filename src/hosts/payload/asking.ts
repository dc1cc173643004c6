/** Reads the questions that a host asks its user by itself, and the answers that it reports. */
import type { Asking, HostAnswer, HostQuestion } from '../call.ts';
import { isOwnServer } from '../ownTools.ts';
import { isFields, textOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { toolInput } from './toolKinds.ts';

/** A call of a tool that asks. Null for other tools. */
export function askingOfTool(tools: readonly string[], tool: string | null, payload: Fields): Asking | null {
  if (tool === null || !tools.includes(tool)) return null;
  const given = payload['tool_input'] ?? payload['toolInput'] ?? payload['toolArgs'] ?? payload['args'];
  const asked = questionsIn(toolInput(given) ?? {});
  const response = payload['tool_response'] ?? payload['toolResult'] ?? payload['tool_result'];
  if (response === undefined) return { kind: 'asked', by: tool, questions: asked.map(questionOf) };
  return { kind: 'answered', by: tool, answers: answersIn(asked, response) };
}

/** A question that an MCP server asks through Claude Code, and how it ended. Its answer may be a secret, and is left out. */
export function askingOfServer(eventName: string, payload: Fields): Asking | null {
  const by = textOf(payload, 'mcp_server_name');
  // Our own server shows its questions by links: each is recorded already.
  if (by === null || isOwnServer(by)) return null;
  const [message, action] = [textOf(payload, 'message'), textOf(payload, 'action')];
  if (eventName === 'Elicitation' && message !== null)
    return { kind: 'asked', by, questions: [{ text: message, choices: [], multiple: false }] };
  if (eventName === 'ElicitationResult' && action !== null)
    return { kind: 'answered', by, answers: [{ question: null, text: action }] };
  return null;
}

/** One of several questions, or the only one. */
function questionsIn(input: Fields): Fields[] {
  const listed = input['questions'];
  return (Array.isArray(listed) ? (listed as unknown[]) : [input]).filter(isFields).filter(wordsOf);
}

function wordsOf(question: Fields): string | null {
  return textOf(question, 'question', 'message', 'title');
}

function questionOf(question: Fields): HostQuestion {
  const options = question['options'] ?? question['choices'];
  return {
    text: wordsOf(question) ?? '',
    choices: (Array.isArray(options) ? (options as unknown[]) : []).flatMap(choiceOf),
    multiple: question['multiSelect'] === true || question['multiple'] === true,
  };
}

function choiceOf(option: unknown): HostQuestion['choices'] {
  if (typeof option === 'string') return [{ label: option }];
  const label = isFields(option) ? textOf(option, 'label') : null;
  if (!isFields(option) || label === null) return [];
  const description = textOf(option, 'description');
  return [description === null ? { label } : { label, description }];
}

/** Hosts name an answer by its question's text, id or place. One without an answer is left out. */
function answersIn(asked: readonly Fields[], response: unknown): HostAnswer[] {
  const reported = (typeof response === 'string' ? toolInput(response) : response) ?? {};
  if (!isFields(reported)) return [];
  const { metadata } = reported;
  const answers = reported['answers'] ?? (isFields(metadata) ? metadata['answers'] : undefined);
  return asked.flatMap((question, index) => {
    const text = wordsOf(question) ?? '';
    const names = [text, textOf(question, 'id') ?? '', textOf(question, 'header') ?? ''];
    const found = Array.isArray(answers)
      ? (answers as unknown[])[index]
      : isFields(answers)
        ? names.map((name) => answers[name]).find((one) => one !== undefined)
        : undefined;
    const said = question['isSecret'] === true ? 'a secret' : saidIn(found);
    return found === undefined || said === '' ? [] : [{ question: text, text: said }];
  });
}

function saidIn(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  if (Array.isArray(answer)) return answer.map(saidIn).join(', ');
  return isFields(answer) ? saidIn(answer['answers'] ?? answer['selected']) : '';
}
