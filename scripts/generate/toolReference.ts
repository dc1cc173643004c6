/** What is derived from the tool catalog: the manifest's contributions and docs/tools.md. Written by `npm run generate`. */
import * as z from 'zod';
import { catalog } from '../../src/tools/catalog.ts';
import type { Tool } from '../../src/tools/kit/tool.ts';
import { verbsOf } from './commandLineReference.ts';

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export function inputSchema(tool: Tool): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  return schema as JsonSchema;
}

/** `contributes.languageModelTools`. */
export function languageModelTools(): object[] {
  return catalog.map((tool) => ({
    name: tool.name,
    toolReferenceName: tool.name,
    canBeReferencedInPrompt: true,
    displayName: tool.title,
    userDescription: tool.description.split('. ')[0] ?? tool.title,
    modelDescription: tool.description,
    icon: '$(debug-pause)',
    tags: ['holdpoint', tool.readOnly ? 'read-only' : 'writes'],
    // The MCP server offers the same tools: a chat has one or the other, and none before its folder is trusted.
    when: "isWorkspaceTrusted && config.holdpoint.chatTools != 'mcp'",
    inputSchema: inputSchema(tool),
  }));
}

/** docs/tools.md. */
export function toolsPage(): string {
  const pages = catalog.map((tool) => {
    const { properties = {}, required = [] } = inputSchema(tool);
    const rows = Object.entries(properties).map(
      ([name, schema]) =>
        `| \`${name}\` | ${typeOf(schema)} | ${required.includes(name) ? 'yes' : ''} | ${escape(schema.description ?? '')}${defaultOf(schema)} | ${optionsFor(tool, name)} |`,
    );
    return [
      `## \`${tool.name}\``,
      `**${tool.title}**${tool.readOnly ? ' (read-only)' : ''}`,
      tool.description,
      ['| input | type | required | | command line |', '| --- | --- | --- | --- | --- |', ...rows].join('\n'),
    ].join('\n\n');
  });
  const intro =
    'The tools agents have: the same in the editor, over MCP and on the command line. Written by `npm run generate` from `src/tools`: do not edit.\n\n' +
    'No tool releases a hold: decisions are made by a human, in a form of the editor. How to connect an agent, and what it is called: [Connect an agent](connect.md).';
  const overview = [
    '| tool, in the editor and over MCP | MCP annotations | MCP: waits for a human | command line |',
    '| --- | --- | --- | --- |',
    ...catalog.map(
      (tool) =>
        `| [\`${tool.name}\`](#${tool.name}) | ${tool.readOnly ? 'read-only' : 'writes, never destroys'} | ${'wait_seconds' in tool.input.shape ? '45 s, or `wait_seconds`; as a task: without end' : ''} | ${verbs(tool)} |`,
    ),
  ].join('\n');
  return `# Tools\n\n${intro}\n\n${overview}\n\n${pages.join('\n\n')}\n`;
}

function verbs(tool: Tool): string {
  return (verbsOf[tool.name] ?? []).map(({ verb }) => `\`holdpoint ${verb}\``).join(', ');
}

function optionsFor(tool: Tool, input: string): string {
  const all = verbsOf[tool.name] ?? [];
  return all
    .flatMap(({ verb, inputs }) =>
      (inputs[input] ?? []).map((option) =>
        option.startsWith('--') || all.length === 1 ? option : `${verb} ${option}`,
      ),
    )
    .map((option) => `\`${option}\``)
    .join(', ');
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' ');
  if (schema.type === 'array') return `list of ${schema.items?.type ?? 'values'}`;
  return schema.type ?? 'any';
}

function defaultOf(schema: JsonSchema): string {
  return schema.default === undefined ? '' : ` Default: \`${JSON.stringify(schema.default)}\`.`;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('**', '\\*\\*').replaceAll(' * ', ' \\* ');
}
