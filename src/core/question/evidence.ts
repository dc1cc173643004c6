/** The long texts of a question that open as documents, and what kind of text each is. */
import * as z from 'zod';
import type { QuestionRaised } from '../records/records.ts';
import { payloadOf, shownPayload } from '../kit/payload.ts';

export const evidencePart = z.enum(['context', 'background', 'payload']);
export type EvidencePart = z.infer<typeof evidencePart>;

/** Extensions by which editors know the language. */
export type EvidenceKind = 'diff' | 'json' | 'log' | 'md' | 'txt';

/** Null where the question has no such text. */
export function evidenceText(raised: QuestionRaised, part: EvidencePart): string | null {
  switch (part) {
    case 'context':
      return raised.context ?? null;
    case 'background':
      return raised.background ?? null;
    case 'payload':
      return raised.payload === undefined ? null : shownPayload(payloadOf(raised.payload));
  }
}

/** Lines that are looked at: the beginning of a long text tells enough. */
const linesAtMost = 400;

export function evidenceKind(text: string, part: EvidencePart): EvidenceKind {
  if (part === 'payload') return 'json';
  if (part === 'background') return 'md';
  const lines = text.split('\n', linesAtMost).filter((line) => line.trim() !== '');
  if (isDiff(lines)) return 'diff';
  if (share(lines, logLine) > 0.5) return 'log';
  return lines.some((line) => markdownLine.test(line)) ? 'md' : 'txt';
}

function isDiff(lines: readonly string[]): boolean {
  if (lines.some((line) => line.startsWith('diff --git '))) return true;
  const hunk = lines.findIndex((line) => /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line));
  return hunk >= 0 && lines.slice(0, hunk).some((line) => line.startsWith('+++ '));
}

const logLine = /^\W{0,2}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\[?(?:trace|debug|info|warn|warning|error|fatal)\b)/i;
/** Headings, fences, check boxes and tables. A list alone is plain text as well. */
const markdownLine = /^(?:#{1,6} \S|```|~~~|\s*[-*] \[[ x]\] |\|.*\|\s*$)/i;

function share(lines: readonly string[], pattern: RegExp): number {
  return lines.length === 0 ? 0 : lines.filter((line) => pattern.test(line)).length / lines.length;
}
