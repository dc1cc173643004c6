/** Reads RFCs from Markdown: a file of the workspace, or text. */
import path from 'node:path';
import type { DocumentChange } from '../../core/rfc/document.ts';
import { parseRfc, parseSection, RfcMarkdownError } from '../../core/rfc/markdown.ts';
import { rfcLimits, type SectionKey } from '../../core/records/rfc.ts';
import { errorCode } from '../../store/journal/files.ts';
import { AppError } from '../workspace/errors.ts';
import { allNames } from '../workspace/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type Markdown = { readonly file: string } | { readonly text: string };

/**
 * Reads a whole document, or with `section` this section alone; a heading that repeats the section's name is dropped.
 * @throws AppError `bad_input` for a path outside the workspace, invalid or too much text, or a missing title
 */
export function importRfc(
  workspace: Workspace,
  from: Markdown,
  section?: Exclude<SectionKey, 'other'>,
): DocumentChange {
  const name = 'file' in from ? `file "${from.file}"` : 'markdown';
  try {
    const text = 'file' in from ? readText(workspace, from.file) : from.text;
    return section === undefined ? parseRfc(text) : parseSection(text, section);
  } catch (error) {
    const why = error instanceof RangeError ? 'nests too deeply' : error instanceof RfcMarkdownError && error.message;
    if (why === false) throw error;
    throw new AppError('bad_input', `${name}: ${why}`, { cause: error });
  }
}

function readText(workspace: Workspace, file: string): string {
  const { fs } = workspace.options;
  // The last name is the real path, checked to be inside the workspace.
  const place = path.join(workspace.location.worktree, allNames(workspace, file, 'file').at(-1) ?? '');
  const refuse = (why: string, cause?: unknown) => new AppError('bad_input', `file "${file}": ${why}`, { cause });
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      throw refuse(code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`, error);
    }
  };
  const { size } = reading(() => fs.statSync(place));
  if (size > rfcLimits.documentBytes)
    throw refuse(`is larger than 1 MiB (${String(size)} bytes): shorten it, or give its sections one by one`);
  const bytes = reading(() => fs.readFileSync(place));
  if (bytes.includes(0)) throw refuse('is binary, not Markdown');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw refuse('is not UTF-8 text', error);
  }
}
