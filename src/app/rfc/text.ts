/** An RFC as one Markdown document, with the section of each line. */
import type { SectionKey } from '../../core/records/rfcWords.ts';
import type { RfcView } from './views.ts';

export interface RfcText {
  readonly text: string;
  /** Where sections begin, by line from 0, in order. */
  readonly places: readonly { readonly line: number; readonly key: SectionKey; readonly heading: string }[];
}

export function rfcAsText(rfc: RfcView): RfcText {
  const lines: string[] = [`# ${rfc.title}`, ''];
  const places: { line: number; key: SectionKey; heading: string }[] = [];
  for (const { key, heading, text } of rfc.sections) {
    places.push({ line: lines.length, key, heading });
    lines.push(`## ${heading}`, '', ...text.split('\n'), '');
  }
  const has = (key: SectionKey) => rfc.sections.some((section) => section.key === key);
  if (!has('alternatives') && rfc.alternatives.length > 0) {
    places.push({ line: lines.length, key: 'alternatives', heading: 'Alternatives' });
    lines.push('## Alternatives', '');
    for (const { name, description, pros, cons, effort_estimate } of rfc.alternatives) {
      lines.push(`### ${name}`, '', ...(description === undefined ? [] : [...description.split('\n'), '']));
      for (const pro of pros) lines.push(`- \\+ ${pro}`);
      for (const con of cons) lines.push(`- \\- ${con}`);
      if (effort_estimate !== undefined) lines.push(`- ${effort_estimate}`);
      lines.push('');
    }
  }
  if (!has('unresolved_questions') && rfc.questions.length > 0) {
    places.push({ line: lines.length, key: 'unresolved_questions', heading: 'Open questions' });
    lines.push('## Open questions', '');
    for (const { text, state } of rfc.questions)
      lines.push(`- [${state === 'unanswered' || state === 'human_required' ? ' ' : 'x'}] ${text}`);
  }
  return { text: `${lines.join('\n').trimEnd()}\n`, places };
}

/** The section a line is in; null above the first. */
export function sectionAt({ places }: RfcText, line: number): RfcText['places'][number] | null {
  return places.findLast((place) => place.line <= line) ?? null;
}
