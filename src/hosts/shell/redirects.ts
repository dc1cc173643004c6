/** What the redirections of a command write and read. */
import type * as shell from 'unbash';
import { expand } from './expand.ts';
import type { Scope } from './expand.ts';
import { isKnown } from './word.ts';
import type { Step, Word } from './word.ts';
import { isNumberGlob } from './zsh.ts';

type Redirected = Pick<Step, 'writes' | 'inputs' | 'stdin'>;

export function redirectsOf(redirects: readonly shell.Redirection[], scope: Scope): Redirected {
  const writes: Word[] = [];
  const inputs: Word[] = [];
  let stdin: string | null | undefined;
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      for (const part of redirect.body.parts ?? [])
        if (part.type !== 'Literal')
          expand({ type: 'Word', text: '"', value: '', pos: 0, end: 0, parts: [part] }, scope);
      const isPlain =
        redirect.delimiter?.quoted === true || (redirect.body.parts ?? []).every(({ type }) => type === 'Literal');
      stdin = isPlain ? redirect.body.text : null;
      if (redirect.closing === undefined) scope.refuse('a here-document without an end');
      continue;
    }
    const targets = redirect.target === undefined ? [] : expand(redirect.target, scope);
    if (redirect.type === 'HereString') {
      const [text] = targets;
      stdin = text && isKnown(text) ? text.text : null;
      continue;
    }
    if (redirect.descriptor?.type === 'FileDescriptorVariable' || targets.length === 0) scope.refuse('a redirection');
    const isCopy = /^[<>]&$/.test(redirect.operator) && targets.every(({ text }) => /^(?:\d+|-|\d+-)$/.test(text));
    if (isCopy) continue;
    // Zsh: `>! file` writes over the file that follows.
    if (redirect.operator === '<' ? targets.some(({ text }) => isNumberGlob(text)) : targets.some(startsWithMark))
      scope.refuse('a redirection');
    if (redirect.operator === '<') inputs.push(...targets);
    else
      writes.push(
        ...targets.map((word) =>
          redirect.operator === '<>' ? { ...word, text: word.text === '/dev/null' ? '/dev/fd/0' : word.text } : word,
        ),
      );
  }
  return { writes, inputs, stdin };
}

function startsWithMark({ text }: Word): boolean {
  return text.startsWith('!');
}
