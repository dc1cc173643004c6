/** The types of the client, from the OpenAPI document. */

type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A TypeScript module: a type for each component, and each operation with its input and its answer. */
export function clientTypes(document: object): string {
  const { paths, components } = document as Document;
  const named = Object.entries(components.schemas).map(([name, schema]) =>
    schema['type'] === 'object'
      ? `export interface ${name} ${typeOf(schema)}`
      : `export type ${name} = ${typeOf(schema)};`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const called = operations.filter(({ operation }) => operation.operationId !== 'events');
  const types = called.map(
    ({ operation }) =>
      `/** ${operation.summary}. */\n${operation.operationId}: { readonly input: ${inputOf(operation)}; readonly answer: ${answerOf(operation)} };`,
  );
  const routes = called.map(
    ({ path, method, operation }) =>
      `${operation.operationId}: { method: ${JSON.stringify(method.toUpperCase())}, path: ${JSON.stringify(path)} },`,
  );
  return [
    '/** Generated from schemas/openapi.json by `npm run generate`. */\n/* eslint-disable max-lines -- generated */',
    ...named,
    `export interface Operations {\n${types.join('\n')}\n}`,
    `export const operations = {\n${routes.join('\n')}\n} as const;`,
  ].join('\n\n');
}

/** Parameters of the path and the query, and the members of the body, in one object. */
function inputOf({ parameters = [], requestBody }: Operation): string {
  const own = parameters.map(
    (one) => `readonly ${JSON.stringify(one.name)}${one.in === 'path' ? '' : '?'}: ${typeOf(one.schema)};`,
  );
  const body = Object.values(requestBody?.content ?? {}).map(({ schema }) => typeOf(schema));
  const input = [...(own.length === 0 ? [] : [`{ ${own.join(' ')} }`]), ...body];
  return input.length === 0 ? 'object' : input.join(' & ');
}

function answerOf({ responses }: Operation): string {
  const answers = Object.entries(responses).flatMap(([, { content }]) => {
    const schema = content?.['application/json']?.schema;
    return schema ? [typeOf(schema)] : [];
  });
  return [...new Set(answers)].join(' | ');
}

function typeOf(schema: Schema): string {
  const { $ref, const: value, enum: values, anyOf, type } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'unknown';
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(anyOf)) return `(${(anyOf as Schema[]).map(typeOf).join(' | ')})`;
  if (Array.isArray(type)) return `(${type.map((one) => typeOf({ ...schema, type: one })).join(' | ')})`;
  if (type === 'array') return `readonly (${typeOf((schema['items'] ?? {}) as Schema)})[]`;
  if (type === 'object') return objectType(schema);
  if (type === 'integer') return 'number';
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'null' ? type : 'unknown';
}

function objectType(schema: Schema): string {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
    additionalProperties?: unknown;
  };
  const isOpen = typeof additionalProperties === 'object' || additionalProperties === true;
  const members = Object.entries(properties).map(([name, member]) => {
    const { description } = member;
    const comment = typeof description === 'string' ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';
    return `${comment}readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)};`;
  });
  if (members.length === 0) return isOpen ? 'Readonly<Record<string, unknown>>' : 'object';
  return `{ ${[...members, ...(isOpen ? ['readonly [member: string]: unknown;'] : [])].join('\n')} }`;
}
