// Part of every bundle of Node: zod's functions, as notes of calls. The schema is made, and zod loaded, when it is first
// used: programs describe some thousand schemas when they start, and parse with few.

/** Calls on a schema that make another. All other members are used, which makes the schema. */
const makers = new Set(
  `array catch check default describe exclude extend extract int length max min multipleOf nonempty nonnegative
  nonoptional nullable nullish omit optional or overwrite partial pick pipe positive prefault readonly refine regex
  strict superRefine transform trim`.split(/\s+/),
);
/** Of zod: values, and functions that use a schema. */
const values = new Set(['NEVER', 'ZodIssueCode']);
const users = new Set(['safeParse', 'toJSONSchema']);
const namespaces = new Set(['iso', 'coerce']);
/** The schema itself. The same in all bundles, which pass schemas to each other. */
const itself = Symbol.for('holdpoint.schema');

/**
 * @param names of zod
 * @param load loads zod
 */
export function deferSchemas(names, load) {
  let zod;
  const loaded = () => {
    zod ??= load();
    return zod;
  };
  const all = {};
  for (const name of names)
    if (values.has(name)) Object.defineProperty(all, name, { enumerable: true, get: () => loaded()[name] });
    else all[name] = namespaces.has(name) ? makersOf(() => loaded()[name]) : makerOf(name);
  return all;

  function makerOf(name) {
    // Zod reads its settings from here, whether it is loaded or not.
    if (name === 'config') return (settings) => Object.assign((globalThis.__zod_globalConfig ??= {}), settings);
    // What is named before it exists.
    if (name === 'lazy') return (later) => deferred(() => loaded().lazy(() => made(later())), unknown);
    const make = (given) => loaded()[name](...given.map(made));
    if (users.has(name)) return (...given) => make(given);
    return (...given) => deferred(() => make(given), optionsOf(name, given[0]));
  }
}

/** What `coerce` and `iso` have. */
function makersOf(namespace) {
  const get =
    (_, name) =>
    (...given) =>
      deferred(() => namespace()[name](...given.map(made)), unknown);
  return new Proxy({}, { get });
}

// Lists of words are read more often than parsed with, also when a program starts: so the `options` of an enum are known
// without it, and that text and numbers have none.
const none = Symbol('none');
const unknown = Symbol('unknown');
const stillText = new Set(['check', 'max', 'min', 'refine', 'regex']);

function optionsOf(maker, words) {
  if (maker === 'string' || maker === 'int') return none;
  return maker === 'enum' && Array.isArray(words) && words.every(isWord) ? [...new Set(words)] : unknown;
}

/** Zod lists the keys of an object: words in the order in which they are given, unless they look like numbers. */
function isWord(word) {
  return typeof word === 'string' && /^[a-z]/i.test(word);
}

function optionsAfter(options, name, [chosen]) {
  if (name === 'extract' && Array.isArray(options)) return [...new Set(chosen)];
  if (name === 'exclude' && Array.isArray(options)) return options.filter((word) => !chosen.includes(word));
  return options === none && stillText.has(name) ? none : unknown;
}

function deferred(make, options) {
  let schema = null;
  const use = () => {
    schema ??= make();
    return schema;
  };
  const get = (_, name) => {
    if (name === itself) return use();
    if (schema === null && makers.has(name))
      return (...given) => deferred(() => use()[name](...given.map(made)), optionsAfter(options, name, given));
    if (name === 'options' && Array.isArray(options)) return options;
    const value = use()[name];
    return typeof value === 'function' ? value.bind(schema) : value;
  };
  return new Proxy(
    {},
    {
      get,
      has: (_, name) => (name === 'options' && options !== unknown ? options !== none : name in use()),
      set: (_, name, value) => Reflect.set(use(), name, value),
      getPrototypeOf: () => Object.getPrototypeOf(use()),
    },
  );
}

/** An argument of zod's functions, with the schemas in it made: itself, in a list, or in the shape of an object. */
function made(given) {
  if (typeof given !== 'object' || given === null) return given;
  const schema = given[itself];
  if (schema !== undefined) return schema;
  if (Array.isArray(given)) return given.map((one) => one?.[itself] ?? one);
  if (Object.getPrototypeOf(given) !== Object.prototype) return given;
  const members = Object.entries(Object.getOwnPropertyDescriptors(given)).map(([name, { get, value, ...member }]) => [
    name,
    // A getter is for a schema that does not exist yet.
    get
      ? { get: () => made(get.call(given)), enumerable: true, configurable: true }
      : { ...member, value: value?.[itself] ?? value },
  ]);
  return Object.defineProperties({}, Object.fromEntries(members));
}
