/**
 * What setup puts into one file. A file may have several parts, of one host or of several; everything else in it is the
 * user's. Texts are without a byte order mark, with whatever line ends they have; null means that there is no file.
 */
import type { SetupName } from './names.ts';

/** `edited`: it is there, but not as setup writes it. */
export type PartState = 'missing' | 'ours' | 'edited';

export interface Part {
  readonly host: SetupName;
  /** Absolute. */
  readonly file: string;
  /** Real path of the folder that the file may not leave through links. */
  readonly root: string;
  readonly kind: 'hook' | 'mcp' | 'other';
  /** File mode of a file that setup makes; 0644 unless told. */
  readonly mode?: number;
  /** @throws SetupError when the text cannot be read as what it should be */
  state(text: string | null): PartState;
  /** Adds it to a text that has none of it. @throws SetupError when that cannot be done */
  add(text: string | null): string;
  /** Takes out what is ours, edited or not. Null: nothing of the user's remains. */
  strip(text: string): string | null;
}

/** The line end of a text; of one without, a line feed. */
export function lineEnd(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
}
