/** The verbs in the help of all: by what they are for, with a few words each, on one screen. */
import { Command } from 'commander';
import type { HelpConfiguration } from 'commander';

const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Ask and wait:': {
    question: 'ask a human, wait for the answer, reply, park, withdraw',
    inbox: 'what is waiting for a human, in all workspaces',
    open: 'open the form of an item in the editor; decides nothing',
    watch: 'print each notification as it happens',
    remind: 'send reminders while no editor does',
    reminders: 'how you are reminded, and what was sent',
  },
  'Work and gate:': {
    work: 'register, update, show and list tasks and workflows',
    gate: 'whether work, files or this session may continue',
    restore: 'put held files back as they were; releases nothing',
    check: 'did humans decide what a change needs? For CI',
    relationship: 'how items are connected',
    dashboard: 'what is held, who is waiting, and how healthy the queue is',
  },
  'RFCs:': { rfc: 'propose a design, revise it, wait for the decision' },
  'Memory:': {
    briefing: 'what to know before working here',
    post: 'record what others need to know',
    search: 'search the notes, or read one',
    resolve: 'close a note that is no longer true',
    supersede: 'replace a note by another one',
  },
  'Requests:': {
    request: 'ask another responsibility, respond, wait',
    responsibility: 'register what you are responsible for; list all',
  },
  'People and setup:': {
    setup: 'make agent hosts ask Holdpoint before each tool call',
    mcp: 'serve the tools over MCP',
    serve: 'serve the forms to browsers on this machine',
    hook: "answer a host's hook",
    keys: 'the public keys that are trusted on this machine',
    team: 'one journal for a team: set it up, join it, see how it is',
  },
  'Data:': {
    audit: 'who decided what, verified from the first record',
    attestations: 'signed decisions as files in the repository',
    mirror: 'write items as Markdown files',
    import: 'take in another program or workspace',
    export: 'export everything in this workspace',
    history: 'what was imported',
  },
};

/** Every verb has its place: one without is under "Commands", which a test refuses. */
export function groupVerbs(program: Command): void {
  const verbs = Object.entries(groups).flatMap(([group, summaries]) =>
    Object.entries(summaries).map(([verb, summary]) => ({ group, verb, summary })),
  );
  program.addHelpCommand(
    new Command('help').argument('[command]').summary('explain a verb').helpGroup('People and setup:'),
  );
  for (const { group, verb, summary } of verbs)
    program.commands
      .find((command) => command.name() === verb)
      ?.helpGroup(group)
      .summary(summary);
}

/** For the program, not for its verbs. */
export const oneScreen: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  formatItemList: (heading, items) => (items.length === 0 ? [] : [heading, ...items]),
};
