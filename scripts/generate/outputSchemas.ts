/**
 * The JSON Schema of everything that Holdpoint prints with `--json` or returns through MCP, made from the types in
 * src/tools/kit/outputs.ts and src/cli/kit/outputs.ts: one file, in which `schema` tells the outputs apart.
 */
import path from 'node:path';
import ts from 'typescript';
import { schemaOf } from '../../src/tools/kit/outputs.ts';

const root = path.join(import.meta.dirname, '..', '..');

type Json = Readonly<Record<string, unknown>>;

const sources = {
  tools: path.join(root, 'src', 'tools', 'kit', 'outputs.ts'),
  verbs: path.join(root, 'src', 'cli', 'kit', 'outputs.ts'),
};

/** The schema, by the name of each output. */
export function outputSchemas(): Json & { readonly $defs: Readonly<Record<string, Json>> } {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const program = ts.createProgram(Object.values(sources), options);
  const checker = program.getTypeChecker();
  const declared = (file: string, name: string): ts.Type => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
    if (!symbol) throw new Error(`${file} exports no ${name}`);
    return checker.getDeclaredTypeOfSymbol(symbol);
  };
  const writer = schemaWriter(checker, viewNames(program, checker));
  const also = declared(sources.tools, 'AlsoDelivered').getProperties();
  const outputs: Record<string, Json> = {};
  const add = (name: string, type: ts.Type, more: readonly ts.Symbol[]) => {
    const variants = type.isUnion() ? type.types : [type];
    const schemas = variants.map((variant) => writer.object([...variant.getProperties(), ...more], schemaOf(name)));
    outputs[name] = oneOf(schemas);
  };
  for (const property of declared(sources.tools, 'ToolOutputs').getProperties())
    add(property.name, checker.getTypeOfSymbol(property), also);
  for (const property of declared(sources.verbs, 'VerbOutputs').getProperties())
    add(property.name, checker.getTypeOfSymbol(property), []);
  add('error', declared(sources.tools, 'ErrorOutput'), []);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Outputs of Holdpoint',
    description: 'What the command line prints with --json and what MCP tools return as data.',
    anyOf: Object.keys(outputs).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: { ...outputs, ...writer.shared() },
  };
}

/** The names of views, by the type of what makes them: `interface View extends ReturnType<typeof viewOf> {}`. */
function viewNames(program: ts.Program, checker: ts.TypeChecker): ReadonlyMap<ts.Type, ts.Type> {
  const names = new Map<ts.Type, ts.Type>();
  for (const source of program.getSourceFiles())
    for (const node of source.statements) {
      if (!ts.isInterfaceDeclaration(node) || node.members.length > 0 || source.isDeclarationFile) continue;
      const view = checker.getTypeAtLocation(node);
      const [made] = checker.getBaseTypes(view as ts.InterfaceType);
      if (made) names.set(made, view);
    }
  return names;
}

function schemaWriter(checker: ts.TypeChecker, views: ReadonlyMap<ts.Type, ts.Type>) {
  const named = new Map<ts.Type, string>();
  const defs: Record<string, Json> = {};

  function object(properties: readonly ts.Symbol[], schema?: string): Json {
    const own = properties.map((symbol) => [symbol, checker.getTypeOfSymbol(symbol)] as const);
    const required = own.filter(([symbol]) => (symbol.flags & ts.SymbolFlags.Optional) === 0).map(([{ name }]) => name);
    return {
      type: 'object',
      properties: {
        ...(schema === undefined ? {} : { schema: { const: schema } }),
        ...Object.fromEntries(own.map(([symbol, type]) => [symbol.name, property(symbol, type)])),
      },
      required: [...(schema === undefined ? [] : ['schema']), ...required],
      additionalProperties: false,
    };
  }

  function property(symbol: ts.Symbol, type: ts.Type): Json {
    const description = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ');
    return { ...of(type), ...(description === '' ? {} : { description }) };
  }

  function of(type: ts.Type): Json {
    if (type.isUnion()) return union(type.types.filter((one) => (one.flags & ts.TypeFlags.Undefined) === 0));
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {};
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: item ? of(item) : {} };
    }
    if (checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type as ts.TypeReference).map(of);
      return { type: 'array', items: { anyOf: items }, minItems: items.length, maxItems: items.length };
    }
    const index = type.getStringIndexType();
    if (index && type.getProperties().length === 0) return { type: 'object', additionalProperties: of(index) };
    return reference(type);
  }

  function union(types: readonly ts.Type[]): Json {
    const words = types.flatMap((type) => (type.isStringLiteral() ? [type.value] : [])).sort();
    const isBoolean = types.filter((type) => type.flags & ts.TypeFlags.BooleanLiteral).length === 2;
    const others = types.filter(
      (type) => !type.isStringLiteral() && !(isBoolean && type.flags & ts.TypeFlags.BooleanLiteral),
    );
    const parts = [
      ...(words.length === 0 ? [] : [{ type: 'string', enum: words }]),
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...others.map(of),
    ];
    return oneOf(parts);
  }

  /** Interfaces have a name, and are written once. */
  function reference(found: ts.Type): Json {
    const type = views.get(found) ?? found;
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)))
      throw new Error(`no schema for ${checker.typeToString(type)}`);
    const symbol = type.getSymbol();
    const isGeneric = ((type as Partial<ts.TypeReference>).target?.typeParameters ?? []).length > 0;
    if (!symbol || !(symbol.flags & ts.SymbolFlags.Interface) || isGeneric) return object(type.getProperties());
    const known = named.get(type);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    if (Object.hasOwn(defs, symbol.name)) throw new Error(`two types are called ${symbol.name}`);
    named.set(type, symbol.name);
    defs[symbol.name] = {};
    defs[symbol.name] = object(type.getProperties());
    return { $ref: `#/$defs/${symbol.name}` };
  }

  return { object, shared: () => defs };
}

function oneOf(schemas: readonly Json[]): Json {
  const [only] = schemas;
  if (only !== undefined && schemas.length === 1) return only;
  // The compiler has the parts of a union in the order in which it came upon them.
  return {
    anyOf: schemas
      .map((one) => JSON.stringify(one))
      .sort()
      .map((one) => JSON.parse(one) as Json),
  };
}
