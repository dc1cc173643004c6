/** An elicitation of ACP in the form of a tool that asks. Free text in an answer may be a secret, and is left out. */
import { isFields, textOf } from './fields.ts';
import type { Fields } from './fields.ts';

export function elicitationInput(params: Fields, result: unknown): Fields {
  const fields = fieldsOf(params);
  const [only] = fields;
  const question = textOf(params, 'message') ?? textOf(params, 'url') ?? 'A question without words';
  const options = fields.length === 1 || only?.options.length ? (only?.options ?? []) : [];
  const asked = { questions: [{ question, options, multiSelect: only?.multiple === true }] };
  if (result === undefined) return { tool_input: asked };
  return { tool_input: asked, tool_response: { answers: [answerOf(fields, result)] } };
}

interface Field {
  readonly name: string;
  readonly title: string;
  readonly options: readonly { readonly label: string; readonly value: unknown; readonly description?: string }[];
  readonly multiple: boolean;
  readonly isFreeText: boolean;
}

function fieldsOf({ requestedSchema }: Fields): Field[] {
  const properties = isFields(requestedSchema) ? requestedSchema['properties'] : null;
  if (!isFields(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isFields(schema)) return [];
    const multiple = schema['type'] === 'array';
    const options = optionsOf(multiple && isFields(schema['items']) ? schema['items'] : schema);
    const isFreeText = options.length === 0 && !['boolean', 'number', 'integer'].includes(String(schema['type']));
    return [{ name, title: textOf(schema, 'title') ?? name, options, multiple, isFreeText }];
  });
}

function optionsOf(schema: Fields): Field['options'] {
  const listed = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(listed))
    return (listed as unknown[]).filter(isFields).flatMap((one) => {
      const label = textOf(one, 'title') ?? textOf(one, 'const');
      const description = textOf(one, 'description');
      return label === null ? [] : [{ label, value: one['const'], ...(description === null ? {} : { description }) }];
    });
  const { enum: values } = schema;
  return Array.isArray(values) ? (values as unknown[]).map((value) => ({ label: String(value), value })) : [];
}

function answerOf(fields: readonly Field[], result: unknown): string {
  const { action, content } = isFields(result) ? result : {};
  if (action !== 'accept') return typeof action === 'string' ? action : 'no answer';
  const given = isFields(content) ? content : {};
  const said = fields.flatMap(({ name, title, options, isFreeText }) => {
    const value = given[name];
    if (value === undefined || value === null || value === '') return [];
    return [
      {
        title,
        words: isFreeText
          ? 'a text'
          : [value]
              .flat()
              .map((one) => labelOf(options, one))
              .join(', '),
      },
    ];
  });
  const [only, second] = said;
  if (!only) return action;
  return second ? said.map(({ title, words }) => `${title}: ${words}`).join('; ') : only.words;
}

function labelOf(options: Field['options'], value: unknown): string {
  return options.find((option) => option.value === value)?.label ?? JSON.stringify(value);
}
