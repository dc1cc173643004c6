/** The human side of asking back: a signed question to the agent. Only the editor imports this. */
import { requireDecided, type Signing } from './decisions.ts';

export interface AskingBack {
  readonly id: string;
  readonly text: string;
  /** The hash the form was rendered with. */
  readonly shown: string;
}

/**
 * Asks the agent back. The question stays open, and keeps all that it holds.
 * @throws AppError as `requireDecided`
 */
export async function askBack(signing: Signing, { id, text, shown }: AskingBack): Promise<void> {
  await requireDecided(signing, { kind: 'question.askedBack', v: 1, id, text }, shown);
}
