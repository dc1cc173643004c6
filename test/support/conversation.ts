/** What a scripted model says in a conversation, in one form for every host's API. */
import { startScriptedModel, type ModelMessage } from './scriptedModel.ts';
import { startScriptedResponses, type ResponsesCall } from './scriptedResponses.ts';

/** Yields calls of tools, and gets their results as the model reads them. */
export type Conversation = AsyncGenerator<ResponsesCall, void, string> | Generator<ResponsesCall, void, string>;

/** @param texts what people and other agents have said in it; null for a conversation without a script */
export type Conversations = (texts: readonly string[]) => Player | null;

export interface Player {
  /** The next call after these results; undefined if the conversation is over. */
  readonly next: (results: readonly string[]) => Promise<ResponsesCall | undefined>;
}

export interface SpeakingModel {
  /** The base address of a provider. */
  readonly url: string;
  close(): Promise<void>;
}

/** A host may send a request again; only a further result continues the conversation. */
export function player(conversation: Conversation, failed: (error: unknown) => void): Player {
  let calls = 0;
  let current: ResponsesCall | undefined;
  return {
    async next(results) {
      if (results.length < calls) return current;
      try {
        const { value, done } = await conversation.next(results.at(-1) ?? '');
        current = done === true ? undefined : value;
      } catch (error) {
        failed(error);
        current = undefined;
      }
      calls += current ? 1 : 0;
      return current;
    },
  };
}

/** With OpenAI's chat-completions API. */
export async function speakInChat(find: Conversations): Promise<SpeakingModel> {
  const { url, close } = await startScriptedModel(async ({ messages, tools }) => {
    if (tools.length === 0) return { say: 'Title' };
    const said = (role: ModelMessage['role']) => messages.filter((one) => one.role === role).map(textOf);
    const call = await find(said('user'))?.next(said('tool'));
    return call ? { call: [call] } : { say: 'Done.' };
  });
  return { url: url.replace(/\/chat\/completions$/, ''), close };
}

function textOf({ content }: ModelMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');
}

/** With OpenAI's responses API. */
export async function speakInResponses(find: Conversations): Promise<SpeakingModel> {
  return startScriptedResponses(({ texts, results }) => find(texts)?.next(results));
}
