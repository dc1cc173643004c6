import * as z from 'zod';
import { briefingOf } from '../../app/memory/briefing.ts';
import { waitingRequests } from '../../app/request/notices.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import { briefingText, withinTokens } from '../../core/memory/briefingText.ts';
import { limits } from '../../core/kit/words.ts';
import { namedAtMost, waitingText } from '../kit/requestTexts.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';

export const getBriefing = defineOperation({
  name: 'get_briefing',
  readOnly: true,
  input: z.strictObject({
    focus: z
      .string()
      .min(1)
      .max(limits.path)
      .optional()
      .describe(
        'The file or folder you are about to work on, workspace-relative or absolute. Default: the whole project.',
      ),
    max_tokens: z
      .int()
      .min(1)
      .optional()
      .describe('Approximate maximum length. Items are dropped from the end, but never critical warnings or holds.'),
  }),
  async run(context, { focus, max_tokens: budget }) {
    const { workspace, session } = context;
    const view = (await workspace.store()).read();
    const place = focus === undefined ? null : workspaceRelative(workspace, focus, 'focus');
    const { briefing, answers } = briefingOf(workspace, view, { focus: place, agent: session.actor.id });
    const fitting = budget === undefined ? briefing : withinTokens(briefing, budget);
    const waiting = waitingRequests(view, session.actor.id, namedAtMost);
    const guide = guideOf(context);
    const text = [waitingText(waiting, guide), briefingText(fitting, guide)];
    return {
      status: 'ok',
      text: text.filter((part) => part !== '').join('\n'),
      data: { briefing: fitting, requests_waiting: waiting.total },
      delivers: { questions: answers, requests: waiting.requests, asked: false },
    };
  },
});
