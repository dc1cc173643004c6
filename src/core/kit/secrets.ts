/**
 * Texts that look like secrets, for a human to look at before a journal leaves the machine. It warns: most secrets have no
 * form that could be recognized.
 */

export type SecretKind = 'privateKey' | 'token' | 'urlPassword' | 'password';

export interface FoundSecret {
  readonly kind: SecretKind;
  /** Its beginning, without the part that is secret. */
  readonly beginning: string;
}

interface Pattern {
  readonly kind: SecretKind;
  readonly form: RegExp;
  /** How much of the match can be shown. Default: its first four characters. */
  readonly shown?: (match: string) => string;
}

/** The documented forms of widespread tokens. Repetitions are bounded, so that a long text takes linear time. */
const patterns: readonly Pattern[] = [
  {
    kind: 'privateKey',
    form: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
    shown: (match) => match,
  },
  { kind: 'token', form: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'token', form: /\bgh[pousr]_[A-Za-z0-9]{30,255}\b/g },
  { kind: 'token', form: /\bgithub_pat_[A-Za-z0-9_]{30,255}\b/g },
  { kind: 'token', form: /\bglpat-[\w-]{20,100}\b/g },
  { kind: 'token', form: /\bxox[abeoprs]-[\w-]{10,250}/g },
  { kind: 'token', form: /\bhooks\.slack\.com\/services\/T\w{5,20}\/B\w{5,20}\/\w{10,40}/g },
  { kind: 'token', form: /\bAIza[\w-]{35}\b/g },
  { kind: 'token', form: /\bsk-(?:[a-z]{2,10}-){0,3}[\w-]{20,250}\b/g },
  { kind: 'token', form: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}\b/g },
  { kind: 'token', form: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'token', form: /\bpypi-[\w-]{50,250}\b/g },
  { kind: 'token', form: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}\b/g },
  { kind: 'token', form: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/g },
  { kind: 'token', form: /\bBearer [\w.~+/-]{20,2000}/g, shown: () => 'Bearer ' },
  {
    kind: 'urlPassword',
    form: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:[^\s/@"'<>]{1,200}@[\w.[-]/gi,
    shown: (match) => match.slice(0, match.indexOf(':', match.indexOf('://') + 3) + 1),
  },
  {
    kind: 'password',
    // A value without a digit or a sign is more often a word of a sentence.
    form: /(?<![a-z0-9])(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token)["']? {0,3}[:=] {0,3}["']?(?=[^\s"'<>{}$]{0,80}[\d!#%&*+_-])[^\s"'<>{}$]{8,200}/gi,
    shown: (match) => match.slice(0, match.search(/[:=]/) + 1),
  },
];

const most = 20;

/** At most 20, in the order of the patterns. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { kind, form, shown = (match: string) => match.slice(0, 4) } of patterns)
    for (const [match] of text.matchAll(form)) {
      if (found.length === most) return found;
      found.push({ kind, beginning: shown(match) });
    }
  return found;
}
