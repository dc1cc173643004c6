/** `holdpoint briefing|post|resolve|supersede|search`: project memory (seed 002, "CLI changes"). */
import type { Command } from 'commander';
import { collect, count } from '../kit/arguments.ts';
import type { Verbs } from '../kit/verbs.ts';

/** Tools are loaded when they are called: a gate in the same program must not wait for them. */
const getBriefing = async () => (await import('../../tools/memory/getBriefing.ts')).getBriefing;
const postEvent = async () => (await import('../../tools/memory/postEvent.ts')).postEvent;
const closeEvent = async () => (await import('../../tools/memory/closeEvent.ts')).closeEvent;
const searchEvents = async () => (await import('../../tools/memory/searchEvents.ts')).searchEvents;

interface PostOptions {
  type: string;
  text: string;
  priority?: string;
  scope: string[];
  related: string[];
}

interface SearchOptions {
  id?: string;
  type?: string;
  status?: string;
  priority?: string;
  scope?: string;
  author?: string;
  since?: string;
  limit?: number;
}

export function memoryVerbs(program: Command, { run }: Verbs): void {
  program
    .command('briefing')
    .description('critical warnings, what waits on a human, and what is known about a file or folder')
    .option('--focus <path>', 'the file or folder you are about to work on')
    .option('--max-tokens <n>', 'about how long it may be; critical warnings and holds are never left out', count)
    .action((options: { focus?: string; maxTokens?: number }, command: Command) =>
      run(command, getBriefing, { focus: options.focus, max_tokens: options.maxTokens }),
    );
  program
    .command('post')
    .description('tell whoever works here next what they must know')
    .requiredOption('--type <type>', 'warning, decision, mutation, discovery or outcome')
    .requiredOption('--text <text>', 'what is so, in Markdown')
    .option('--priority <priority>', 'critical, high, normal or low')
    .option('--scope <path>', 'a file or folder it is about (repeat)', collect, [])
    .option('--related <id>', 'an event it belongs to (repeat)', collect, [])
    .action(({ scope, ...options }: PostOptions, command: Command) =>
      run(command, postEvent, { ...options, scopes: scope }),
    );
  program
    .command('resolve <id>')
    .description("close an event that is no longer true; a proposal if it is a human's")
    .requiredOption('--reason <text>', 'why')
    .action((id: string, { reason }: { reason: string }, command: Command) => run(command, closeEvent, { id, reason }));
  program
    .command('supersede <id>')
    .description("put another event in its place; a proposal if it is a human's")
    .requiredOption('--by <id>', 'the event that takes its place')
    .option('--reason <text>', 'why')
    .action((id: string, { by, reason }: { by: string; reason?: string }, command: Command) =>
      run(command, closeEvent, { id, superseded_by: by, reason }),
    );
  program
    .command('search [words]')
    .description('search project memory; every word must occur, nothing is an operator. Without words: the newest')
    .option('--id <id>', 'only this one, in full')
    .option('--type <type>', 'warning, decision, mutation, discovery or outcome')
    .option('--status <status>', 'active, resolved or superseded')
    .option('--priority <priority>', 'critical, high, normal or low')
    .option('--scope <path>', 'only about this file or folder and what lies beneath it')
    .option('--author <name>', 'only by this agent or human')
    .option('--since <date>', 'posted then or later, for example 2026-05-03')
    .option('--limit <n>', 'at most so many', count)
    .action((words: string | undefined, options: SearchOptions, command: Command) =>
      run(command, searchEvents, { ...options, words }),
    );
}
