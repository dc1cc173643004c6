import * as z from 'zod';
import { closeEvent } from '../memory/closeEvent.ts';
import { getBriefing } from '../memory/getBriefing.ts';
import { postEvent } from '../memory/postEvent.ts';
import { searchEvents } from '../memory/searchEvents.ts';
import type { EventView } from '../../app/memory/views.ts';
import { field, fieldsOf, usualLength, withOwn } from './tool.ts';
import type { AgentTool } from './tool.ts';

export const briefing: AgentTool = {
  name: 'holdpoint_get_briefing',
  title: 'Briefing',
  description:
    'Get what you must know before you work here: warnings, decisions and what waits for a human. Call it when you begin and before you turn to another part of the code; with words it searches the notes.',
  readOnly: true,
  shown: 'used',
  input: z.object({
    ...fieldsOf(getBriefing, 'focus'),
    ...fieldsOf(searchEvents, 'words', 'type', 'since'),
    ...fieldsOf(getBriefing, 'max_tokens'),
  }),
  operations: [getBriefing, searchEvents],
  // A search is cut, a briefing is not: it leaves out whole items, and never critical warnings or holds.
  isWhole: (input) => !isSearch(input),
  async run(call, { focus, max_tokens: tokens, ...search }) {
    if (isSearch(search))
      return call(searchEvents, withOwn({ limit: 5, ...search }, { scope: focus }), { scope: 'focus' });
    const brief = await call(getBriefing, { focus, max_tokens: tokens ?? usualLength / 4 });
    if (tokens !== undefined || !/^- and \d+ more$/m.test(brief.text)) return brief;
    return { ...brief, text: `${brief.text}\nFor the rest, ask again with "max_tokens": 2000.` };
  },
};

function isSearch({ focus: _focus, max_tokens: _tokens, ...search }: Readonly<Record<string, unknown>>): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

export const note: AgentTool = {
  name: 'holdpoint_post_note',
  title: 'Post, close or replace a note',
  description:
    'Record what the next agents and people here need to know and cannot see in the code; no progress, no questions. With close, end a note that is no longer true: alone, or replaced by this one.',
  readOnly: false,
  shown: 'used',
  input: z.object({
    type: field(postEvent, 'type').optional(),
    ...fieldsOf(postEvent, 'title'),
    text: field(postEvent, 'text').optional(),
    ...fieldsOf(postEvent, 'priority', 'scopes'),
    close: z.string().optional().describe('A note to close, for example "E-140".'),
    ...fieldsOf(closeEvent, 'reason'),
  }),
  operations: [postEvent, closeEvent],
  async run(call, { close, reason, superseded_by: by, ...post }) {
    // Without a note to close, what belongs to one is refused by its name.
    const left = Object.entries({ reason, superseded_by: by }).filter(([, value]) => value !== undefined);
    if (close === undefined) return call(postEvent, { ...post, ...Object.fromEntries(left) });
    const posts = Object.values(post).some((value) => value !== undefined);
    if (!posts) return call(closeEvent, { id: close, reason, superseded_by: by }, { id: 'close' });
    const posted = await call(postEvent, post);
    if (posted.status !== 'ok') return posted;
    const { id } = posted.data['event'] as EventView;
    const closed = await call(closeEvent, { id: close, reason, superseded_by: id }, { id: 'close' });
    return {
      ...posted,
      text: `${posted.text}\n${closed.status === 'ok' ? '' : 'It replaces nothing: '}${closed.text}`,
    };
  },
};
