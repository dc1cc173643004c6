/** Files of this user: those that other users must not change or read, and notes that may be missing. */
import type * as z from 'zod';
import type { FileSystem } from '../../store/journal/files.ts';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { AppError } from './errors.ts';

interface PrivateFile<T> {
  readonly fs: FileSystem;
  readonly platform: NodeJS.Platform;
  readonly file: string;
  readonly schema: z.ZodType<T>;
  /** Permission bits that must not be set; default: other users can neither read nor change it. */
  readonly closed?: number;
}

/**
 * The content, or null when the file does not exist.
 * @throws AppError `bad_input` if it is open to other users, or malformed
 */
export function readPrivateFile<T>({ fs, platform, file, schema, closed = 0o077 }: PrivateFile<T>): T | null {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return null;
  if (!stat.isFile()) throw new AppError('bad_input', `${file} is not a plain file`);
  if (platform !== 'win32' && (stat.mode & closed) !== 0)
    throw new AppError('bad_input', `${file} is open to other users: run chmod 600 on it`);
  const result = schema.safeParse(jsonOrNull(fs.readFileSync(file, 'utf8')));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AppError('bad_input', `${file}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

/** Null for a file that is missing, cannot be read or is malformed. */
export function readNote<T>(fs: FileSystem, file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}
