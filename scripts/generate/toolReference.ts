/** What is derived from the tool operations: the manifest's contributions and docs/tools.md. Written by `npm run generate`. */
import {
  inputSchema,
  isReadOnly,
  waits,
  type AgentTool,
  type JsonSchema,
  type Shown,
} from '../../src/tools/agent/tool.ts';
import { catalog } from '../../src/tools/catalog.ts';
import { verbsOf } from './commandLineReference.ts';

/** Of the editor: keys that `src/vscode/setup/tools.ts` sets. */
const offered: Readonly<Record<Shown, string>> = {
  always: '',
  used: ' && holdpoint.tools.used',
  asked: ' && holdpoint.tools.asked',
  requests: ' && holdpoint.tools.requests',
};

/** `contributes.languageModelTools`. */
export function languageModelTools(): object[] {
  return catalog.map((tool) => ({
    name: tool.name,
    toolReferenceName: tool.name,
    canBeReferencedInPrompt: true,
    displayName: tool.title,
    userDescription: tool.description.split(/[.:;] /)[0] ?? tool.title,
    modelDescription: tool.description,
    icon: '$(debug-pause)',
    tags: ['holdpoint', isReadOnly(tool) ? 'read-only' : 'writes'],
    // The MCP server offers the same tools: a chat has one or the other, and none before its folder is trusted.
    when: `isWorkspaceTrusted && config.holdpoint.chatTools != 'mcp'${offered[tool.shown]}`,
    inputSchema: inputSchema(tool),
  }));
}

const offeredWhen: Readonly<Record<Shown, string>> = {
  always: 'always',
  used: 'the folder uses Holdpoint',
  asked: 'the agent has an open question',
  requests: 'a responsibility is registered',
};

/** docs/tools.md. */
export function toolsPage(): string {
  const pages = catalog.map((tool) => {
    const { properties = {}, required = [] } = inputSchema(tool);
    const rows = Object.entries(properties).map(
      ([name, schema]) =>
        `| \`${name}\` | ${typeOf(schema)} | ${required.includes(name) ? 'yes' : ''} | ${escape(schema.description ?? '')} |`,
    );
    return [
      `## \`${tool.name}\``,
      `**${tool.title}**${isReadOnly(tool) ? ' (read-only)' : ''}`,
      tool.description,
      ['| input | type | required | |', '| --- | --- | --- | --- |', ...rows].join('\n'),
    ].join('\n\n');
  });
  const intro =
    'The tools that agents have in the editor and over MCP. Written by `npm run generate` from `src/tools/agent`: do not edit.\n\n' +
    'No tool releases a hold: decisions are made by a human, in a form of the editor. A tool that is not offered works all the same when it is called. How to connect an agent, and what it is called: [Connect an agent](connect.md).';
  const overview = [
    '| tool | offered when | MCP annotations | MCP: waits for a human | command line |',
    '| --- | --- | --- | --- | --- |',
    ...catalog.map(
      (tool) =>
        `| [\`${tool.name}\`](#${tool.name}) | ${offeredWhen[tool.shown]} | ${isReadOnly(tool) ? 'read-only' : 'writes, never destroys'} | ${waits(tool) ? '45 s, or `wait_seconds`; as a task: without end' : ''} | ${verbs(tool)} |`,
    ),
  ].join('\n');
  return `# Tools\n\n${[intro, overview, ...pages, commandLine()].join('\n\n')}\n`;
}

function verbs({ operations }: AgentTool): string {
  return operations
    .flatMap(({ name }) => verbsOf[name] ?? [])
    .map(({ verb }) => `\`holdpoint ${verb}\``)
    .join(', ');
}

function commandLine(): string {
  const rows = Object.values(verbsOf)
    .flat()
    .map(({ verb, accepted }) => `| \`holdpoint ${verb}\` | ${accepted.map((one) => `\`${one}\``).join(' ')} |`);
  return [
    '## The command line',
    'The verbs that do what tools do. Their `--help` explains the options.',
    ['| verb | options |', '| --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' ');
  if (schema.type === 'array') return `list of ${schema.items?.type ?? 'values'}`;
  return schema.type ?? 'any';
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('**', '\\*\\*').replaceAll(' * ', ' \\* ');
}
