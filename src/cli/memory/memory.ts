/** `holdpoint briefing|post|resolve|supersede|search`: project memory. */
import type { Command } from 'commander';
import { count } from '../kit/arguments.ts';
import { each, may, must, toolVerb } from '../kit/toolVerb.ts';
import type { Verbs } from '../kit/verbs.ts';

const closeEvent = async () => (await import('../../tools/memory/closeEvent.ts')).closeEvent;

const types = 'warning, decision, mutation, discovery or outcome';
const priority = may('--priority <priority>', 'critical, high, normal or low');

export function memoryVerbs(program: Command, verbs: Verbs): void {
  toolVerb(verbs, program, 'briefing', {
    about: 'critical warnings, what waits for a human, and what is known about a file or folder',
    tool: async () => (await import('../../tools/memory/getBriefing.ts')).getBriefing,
    takes: {
      focus: may('--focus <path>', 'the file or folder you are about to work on'),
      max_tokens: may(
        '--max-tokens <n>',
        'about how long it may be; critical warnings and holds are never left out',
        count,
      ),
    },
  });
  toolVerb(verbs, program, 'post', {
    about: 'record what people and agents who work here next must know',
    tool: async () => (await import('../../tools/memory/postEvent.ts')).postEvent,
    takes: {
      type: must('--type <type>', types),
      title: may('--title <line>', 'the subject line; left out: the first line of the text'),
      text: must('--text <text>', 'what is so, in Markdown'),
      priority,
      scopes: each('--scope <path>', 'a file or folder it is about'),
      related: each('--related <id>', 'an event it belongs to'),
    },
  });
  toolVerb(verbs, program, 'resolve <id>', {
    about: "close an event that is no longer true; a proposal if it is a human's",
    tool: closeEvent,
    takes: { reason: must('--reason <text>', 'why') },
  });
  toolVerb(verbs, program, 'supersede <id>', {
    about: "put another event in its place; a proposal if it is a human's",
    tool: closeEvent,
    takes: {
      superseded_by: must('--by <id>', 'the event that takes its place'),
      reason: may('--reason <text>', 'why'),
    },
  });
  toolVerb(verbs, program, 'search [words]', {
    about: 'search project memory; every word must occur, nothing is an operator. Without words: the newest',
    tool: async () => (await import('../../tools/memory/searchEvents.ts')).searchEvents,
    takes: {
      id: may('--id <id>', 'only this one, in full'),
      type: may('--type <type>', types),
      status: may('--status <status>', 'active, resolved or superseded'),
      priority,
      scope: may('--scope <path>', 'only about this file or folder and what lies beneath it'),
      author: may('--author <name>', 'only by this agent or human'),
      since: may('--since <date>', 'posted then or later, for example 2026-05-03'),
      limit: may('--limit <n>', 'at most so many', count),
    },
  });
}
