/**
 * What V8 compiled of the bundles, kept in a folder beside them: compiling takes half of a gate's own time. Whoever may
 * write there may also change the bundles. Where nothing can be kept, each program compiles what it needs.
 *
 * Gates and hooks keep the functions that ran. Node's own compile cache has only what is compiled when a file is loaded,
 * and a program compiled the rest again each time; all functions of a file would be twice as many, and take as long to read.
 */
import fs from 'node:fs';
import module, { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import vm from 'node:vm';

const folderIn = (programs: string) => path.join(programs, 'compiled');

/**
 * Node's compile cache, for programs that run less often.
 * @param programs the folder of the bundles
 */
export function keepCompiledCode(programs: string): void {
  // Node has it since 22.8.
  const { enableCompileCache } = module as Partial<typeof module>;
  enableCompileCache?.(folderIn(programs));
}

/** The next program compiles the bundles as they are. */
export function forgetCompiledCode(programs: string): void {
  try {
    fs.rmSync(folderIn(programs), { recursive: true, force: true });
  } catch {
    return;
  }
}

interface Bundle {
  readonly module: { exports: unknown };
  readonly script: vm.Script;
  readonly source: Buffer;
  readonly found: Found | null;
}

/**
 * Loads a bundle, and those that it requires, with what earlier programs compiled of them.
 * @param file absolute path
 * @param use names what the program does: programs that do the same share what they compiled
 * @param atEnd gets what keeps all that was compiled until it is called, before the bundle runs
 * @returns its exports
 * @throws what the bundle throws while it loads
 */
export function loadCompiled(file: string, use: string, atEnd: (keep: () => void) => void = whenProgramEnds): unknown {
  const programs = path.dirname(file);
  const folder = path.join(folderIn(programs), `${process.versions.v8}-${process.arch}`);
  const keptOf = (name: string) => path.join(folder, `${use}-${path.basename(name)}`);
  const plain = createRequire(file);
  const bundles = new Map<string, Bundle>();

  function required(name: string): unknown {
    const bundle = path.resolve(programs, name);
    return name.endsWith('.cjs') && path.dirname(bundle) === programs ? load(bundle) : plain(name);
  }

  function load(name: string): unknown {
    const known = bundles.get(name);
    if (known) return known.module.exports;
    const source = fs.readFileSync(name);
    const found = readKept(keptOf(name), source);
    const script = new vm.Script(`${before}${source.toString()}${after}`, {
      filename: name,
      columnOffset: -before.length,
      cachedData: found?.code,
    });
    const module = { exports: {} };
    // Flags of V8 that differ make it compile again.
    bundles.set(name, { module, script, source, found: script.cachedDataRejected ? null : found });
    const run = script.runInThisContext() as (...parameters: unknown[]) => void;
    try {
      run(module.exports, required, module, name, programs);
    } catch (error) {
      bundles.delete(name);
      throw error;
    }
    return module.exports;
  }

  function keep(): void {
    const unfinished = [...bundles].filter(([, { found }]) => (found?.rounds ?? 0) < roundsAtMost);
    if (unfinished.length === 0 || !canKeep(folder)) return;
    for (const [name, { script, source, found }] of unfinished)
      writeKept(keptOf(name), { rounds: (found?.rounds ?? 0) + 1, source, code: script.createCachedData() });
  }

  if (process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return plain(file);
  atEnd(keep);
  return load(file);
}

function whenProgramEnds(keep: () => void): void {
  process.once('exit', keep);
}

/** As Node wraps CommonJS, on the line of the source's first. */
const [before, after] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/** The first programs of a use add what they compiled; those after them no longer look for more, which takes some 10 ms. */
export const roundsAtMost = 8;

interface Found {
  /** How many programs have added to it. */
  readonly rounds: number;
  readonly code: Buffer;
}

const headLength = 12;

/**
 * A file has the source and twice the compiled code, because V8 checks neither: it compares only the length of the source
 * and its own version. Comparing takes a tenth of a millisecond, where loading Node's checksums takes two to eight.
 */
function readKept(file: string, source: Buffer): Found | null {
  try {
    const bytes = fs.readFileSync(file);
    const [rounds, ofSource, ofCode] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
    const end = headLength + ofSource;
    const code = bytes.subarray(end, end + ofCode);
    const isWhole = bytes.length === end + 2 * ofCode && code.equals(bytes.subarray(end + ofCode));
    return isWhole && bytes.subarray(headLength, end).equals(source) ? { rounds, code } : null;
  } catch {
    return null;
  }
}

function canKeep(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function writeKept(file: string, { rounds, source, code }: Found & { readonly source: Buffer }): void {
  const head = Buffer.alloc(headLength);
  for (const [place, value] of [rounds, source.length, code.length].entries()) head.writeUInt32LE(value, 4 * place);
  const whole = `${file}.${String(process.pid)}.tmp`;
  try {
    fs.writeFileSync(whole, Buffer.concat([head, source, code, code]));
    fs.renameSync(whole, file);
  } catch {
    fs.rmSync(whole, { force: true });
  }
}
