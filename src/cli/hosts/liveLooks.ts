/**
 * The looks that a person tries with `setup --check --live`: what the agent is asked to do, and the file in which it
 * writes down what it got. Words that only Holdpoint says prove that the hook ran and that the agent read its result.
 */
import type { Ground } from '../../hosts/setup/canary.ts';

export type LookName = 'before_call' | 'after_call' | 'before_stop';

interface Script {
  readonly file: string;
  readonly text: string;
  /** How a shell starts it. */
  readonly command: string;
  /** The line that it appends to the held file. */
  readonly line: string;
}

export interface LiveGround extends Ground {
  readonly script: Script;
}

interface Look {
  readonly title: string;
  readonly prompt: (ground: LiveGround) => string;
  /** Where the agent writes what it got. */
  readonly file: string;
  readonly isSeen: (written: string, ground: LiveGround) => boolean;
  readonly proven: string;
  /** What to do if it was not seen. `hasRun`: whether the script had changed the held file. */
  readonly missing: (hasRun: boolean) => string;
}

/** The name says nothing of what it changes, so nothing stops it. */
export function scriptOf(platform: string, secret: string): Script {
  const line = `tidied ${secret}`;
  return platform === 'win32'
    ? { file: 'tidy.cmd', text: `@echo ${line}>>held.txt\r\n`, command: './tidy.cmd', line }
    : { file: 'tidy.sh', text: `#!/bin/sh\necho '${line}' >>held.txt\n`, command: './tidy.sh', line };
}

/** `ran`: the script did, and nothing else. `changed`: the agent did, though the file is held. */
export function heldFileState(text: string, { script }: LiveGround): 'same' | 'ran' | 'changed' {
  const [first, ...more] = text.split(/\r?\n/);
  const added = more.filter((line) => line !== '');
  if (first !== 'a' || added.some((line) => line !== script.line)) return 'changed';
  return added.length > 0 ? 'ran' : 'same';
}

const notRun = 'The agent did not run the script, so there was nothing to notice. Send it the prompt again.';

const changedWords = 'held.txt is held by Q-1 and was changed';
const stopWords = 'before you stop';

export const looks: Readonly<Record<LookName, Look>> = {
  before_call: {
    title: 'before a call',
    prompt: () =>
      'Change the first line of held.txt to "b". If you are stopped, write the reason that you got, word for word, into reason.txt.',
    file: 'reason.txt',
    isSeen: (written, { secret }) => written.includes(secret),
    proven: 'The edit was denied, and the agent got the reason.',
    missing: () =>
      'Open exactly that folder, trust it, and leave the setting chat.useHooks on. If the agent never tried the edit, send the prompt again.',
  },
  after_call: {
    title: 'after a call',
    prompt: ({ script }) =>
      `Run ${script.command} in a terminal. If a message about a file comes with its result, write the message, word for word, into after.txt.`,
    file: 'after.txt',
    isSeen: (written) => written.includes(changedWords),
    proven: 'The agent read that the script changed a held file.',
    missing: (hasRun) =>
      hasRun
        ? 'The script changed held.txt, so this version does not run postToolUse of .github/hooks/holdpoint-agent-host.json, or does not pass its result on. The gate still names such changes, and denies commits of them.'
        : notRun,
  },
  before_stop: {
    title: 'before a stop',
    prompt: () =>
      'Then end your turn. Only if a message keeps you from ending it, write that message, word for word, into stop.txt, and end your turn.',
    file: 'stop.txt',
    isSeen: (written) => written.includes(changedWords) && written.includes(stopWords),
    proven: 'The agent read of the change once more instead of stopping.',
    missing: (hasRun) =>
      hasRun
        ? 'If the agent has ended its turn, this version does not run agentStop of .github/hooks/holdpoint-agent-host.json, or does not pass its reason on. When an agent stops, look at the changes in the form of the question yourself.'
        : notRun,
  },
};
