/** Parses the metadata of a decision record or RFC: its title, status and date. */
import { withoutComments } from '../../core/kit/markdownComments.ts';
import { shortened } from '../../core/rfc/fitted.ts';
import { frontMatterOf } from '../../core/rfc/frontMatter.ts';
import { limits } from '../../core/kit/words.ts';
import { instantOf } from './importReading.ts';

export type RfcFileStatus = 'accepted' | 'superseded' | 'deprecated' | 'rejected' | 'draft';

/** `ADR-12: Title` and `12. Title` become `Title`. */
export function withoutNumber(title: string): string {
  const bare = title.replace(/^(?:(?:ADR|RFC|KEP|PEP|SE)[-\s]*\d+\s*[:.–—-]|\d{1,5}\.)\s+/i, '').trim();
  return shortened(bare === '' ? title : bare, limits.title);
}

/** The status from front matter, a line `Status: …` before the first section, or a section of that name. */
export function statusOf(raw: string): string | null {
  const text = withoutComments(raw);
  const front = /^(?:status|stage):[ \t]*(.+)$/im.exec(frontMatterOf(text)?.written ?? '')?.[1];
  const head = text.split(/^##\s/m, 1)[0] ?? '';
  const line = /^[\s>*+-]*\**status\**\s*:\**\s*(.+)$/im.exec(head)?.[1];
  const section = /^#{1,3}[ \t]*status[ \t]*#*\n+((?:(?!#).*\n?)*)/im.exec(text)?.[1];
  const found = (front ?? line ?? section ?? '')
    .trim()
    .replace(/^["'*_`]+|["'*_`]+$/g, '')
    .trim();
  return found === '' ? null : found;
}

export function standingOf(status: string | null): { standing: RfcFileStatus; successor: string | null } {
  const word = (status ?? '').toLowerCase();
  const link =
    /\]\(([^)#\s]+)/.exec(status ?? '')?.[1] ?? /(?:adr|rfc)?[-\s#]*(\d{1,5})/i.exec(status ?? '')?.[1] ?? null;
  if (/^(superseded|replaced)\b|\bsuperseded by\b/.test(word)) return { standing: 'superseded', successor: link };
  if (
    /^(accepted|approved|implemented|final|active|adopted|decided|done|merged|implementable|recommended|released|ready-for-release)\b/.test(
      word,
    )
  )
    return { standing: 'accepted', successor: null };
  if (/^(deprecated|retired|obsolete|discontinued)\b/.test(word)) return { standing: 'deprecated', successor: null };
  if (/^(rejected|declined|withdrawn|abandoned)\b/.test(word)) return { standing: 'rejected', successor: null };
  return { standing: 'draft', successor: null };
}

export function dateOf(text: string): string | null {
  const head = text.split('\n').slice(0, 40).join('\n');
  return instantOf(/^[\s>*+-]*\**(?:start[- ]|creation-)?date\**\s*:\**\s*["']?(\d{4}-\d\d-\d\d)/im.exec(head)?.[1]);
}
