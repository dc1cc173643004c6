/** The real file system, except that one call, selected by number, fails. */
import fs from 'node:fs';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { fault } from '../store/faults.ts';
import { realFs } from '../store/sandbox.ts';

export const failures = [
  'EIO',
  'ENOSPC',
  'EPERM',
  'EIO from there on',
  'done, but EIO',
  'short write',
  'failed fsync',
] as const;
export type Failure = (typeof failures)[number];

export interface Failing {
  readonly fs: FileSystem;
  /** Selects which of the calls that can have this failure fails; 0 for none. */
  arm(failure: Failure, at: number): void;
  heal(): void;
  /** The number of calls since `arm` that can have this failure. */
  calls(): number;
}

type Name = Exclude<keyof FileSystem, 'realpathSync'>;
type Call = (...args: unknown[]) => unknown;

const syncs: readonly Name[] = ['fsyncSync', 'fdatasyncSync'];

export function failing(): Failing {
  let failure: Failure | null = null;
  let at = 0;
  let calls = 0;

  function call(name: string, real: Call, args: unknown[]): unknown {
    if (failure === null || !concerns(failure, name)) return real(...args);
    calls++;
    const hit = failure === 'EIO from there on' ? at > 0 && calls >= at : calls === at;
    if (!hit) return real(...args);
    // Node's own `existsSync` returns false for every failure.
    if (name === 'existsSync') return false;
    if (failure === 'short write') {
      const [descriptor, bytes, offset, length] = args as [number, Uint8Array, number, number];
      return fs.writeSync(descriptor, bytes, offset, length >> 1);
    }
    if (failure === 'done, but EIO') {
      const made = real(...args);
      if (name === 'openSync') fs.closeSync(made as number);
    }
    // Linux releases a descriptor even if `close` fails.
    if (name === 'closeSync' && failure !== 'done, but EIO') real(...args);
    throw fault(failure.startsWith('E') ? (failure.split(' ', 1)[0] ?? '') : 'EIO');
  }

  const names = Object.keys(realFs);
  const used: Name[] = [
    'closeSync',
    'copyFileSync',
    'existsSync',
    'fdatasyncSync',
    'fstatSync',
    'fsyncSync',
    'lstatSync',
    'mkdirSync',
    'openSync',
    'readFileSync',
    'readSync',
    'readdirSync',
    'renameSync',
    'rmSync',
    'statSync',
    'statfsSync',
    'writeSync',
  ];
  if (!used.every((name) => names.includes(name))) throw new Error('a listed call is missing from the file system');
  const wrapped = used.map((name): [string, Call] => {
    const real = fs[name] as Call;
    return [name, (...args: unknown[]) => call(name, real, args)];
  });
  const native = (...args: unknown[]) => call('realpathSync', fs.realpathSync.native as Call, args);
  const realpathSync: unknown = Object.assign((...args: unknown[]) => native(...args), { native });
  return {
    fs: { ...realFs, ...Object.fromEntries(wrapped), realpathSync: realpathSync as typeof fs.realpathSync },
    arm(next, number) {
      failure = next;
      at = number;
      calls = 0;
    },
    heal() {
      failure = null;
    },
    calls: () => calls,
  };
}

function concerns(failure: Failure, name: string): boolean {
  if (failure === 'short write') return name === 'writeSync';
  if (failure === 'failed fsync') return (syncs as readonly string[]).includes(name);
  return true;
}
