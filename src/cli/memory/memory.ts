/** `holdpoint briefing|post|resolve|supersede|search`: project memory. */
import type { Command } from 'commander';
import { count } from '../kit/arguments.ts';
import { each, may, must, toolVerb } from '../kit/toolVerb.ts';
import type { Verbs } from '../kit/verbs.ts';

const closeEvent = async () => (await import('../../tools/memory/closeEvent.ts')).closeEvent;

const types = 'warning, decision, mutation, discovery or outcome';
const priority = may('--priority <priority>', 'critical, high, normal or low');

export function memoryVerbs(program: Command, verbs: Verbs): void {
  toolVerb(verbs, program, 'briefing [path]', {
    about: 'show critical warnings, questions and RFCs that wait for a human, and what is known about a file or folder',
    tool: async () => (await import('../../tools/memory/getBriefing.ts')).getBriefing,
    input: ({ path, ...given }) => ({ ...given, focus: given['focus'] ?? path }),
    takes: {
      focus: may('--focus <path>', 'the file or folder you are about to work on; the same as [path]'),
      max_tokens: may(
        '--max-tokens <n>',
        'approximate maximum length; critical warnings and holds are never left out',
        count,
      ),
    },
  });
  toolVerb(verbs, program, 'post', {
    about: 'record what the next agents and humans who work here need to know',
    tool: async () => (await import('../../tools/memory/postEvent.ts')).postEvent,
    takes: {
      type: must('--type <type>', types),
      title: may('--title <line>', 'the subject line; default: the first line of the text'),
      text: must('--text <text>', 'what others should know, in Markdown'),
      priority,
      scopes: each('--scope <path>', 'a file or folder it is about'),
      related: each('--related <id>', 'a related event'),
    },
  });
  toolVerb(verbs, program, 'resolve <id>', {
    about: 'close an event that is no longer true; becomes a proposal if a human posted it',
    tool: closeEvent,
    takes: { reason: must('--reason <text>', 'why') },
  });
  toolVerb(verbs, program, 'supersede <id>', {
    about: 'replace an event with another; becomes a proposal if a human posted it',
    tool: closeEvent,
    takes: {
      superseded_by: must('--by <id>', 'the event that replaces it'),
      reason: may('--reason <text>', 'why'),
    },
  });
  toolVerb(verbs, program, 'search [words...]', {
    about: 'search project memory; all words must match or begin a word, there are no operators. Without words: the newest events',
    tool: async () => (await import('../../tools/memory/searchEvents.ts')).searchEvents,
    takes: {
      id: may('--id <id>', 'only this event, in full'),
      type: may('--type <type>', types),
      status: may('--status <status>', 'active, resolved or superseded'),
      priority,
      scope: may('--scope <path>', 'only events about this file, or about this folder and anything in it'),
      author: may('--author <name>', 'only events by this agent or human'),
      since: may('--since <date>', 'only events posted at or after this time, for example 2026-05-03'),
      limit: may('--limit <n>', 'maximum number of events', count),
    },
  });
}
