/** What the host might send of questions of the same shape that one act can answer. */
import type { TogetherView } from '../../../src/ui/answer/together.ts';
import { before } from './samples.ts';

const packages = ['zod', 'left-pad', '@scope/a-package-with-a-rather-long-name'];

export function togetherView(change: Partial<TogetherView> = {}): TogetherView {
  return {
    type: 'together',
    key: 'w1/together/Q-31',
    shown: 'sha256-together',
    render: 'render-0',
    ...{ urgency: 'high', kind: 'approval' },
    choices: [
      { label: 'Yes', recommended: true },
      { label: 'No', recommended: false, effect: 'do_not', refuses: true },
    ],
    ...{ multiple: false, freeText: true },
    questions: packages.map((name, index) => ({
      key: `w1/Q-${String(31 + index)}`,
      id: `Q-${String(31 + index)}`,
      shown: `sha256-Q-${String(31 + index)}`,
      agent: `build-bot-00${String(index + 1)}`,
      raisedAt: before(4 + index),
      text: [
        { text: 'Add dependency ', differs: false },
        { text: name, differs: true },
        { text: '?', differs: false },
      ],
      ...(index === 0 ? { background: 'The forms check their input **by hand** in five places.' } : {}),
      ...(index === 1 ? { impact: 'One more package to audit', ifDelayed: 'The list stays as it is' } : {}),
      blocks: {
        work: [{ id: `t-${String(index)}`, title: `Form ${String(index)}` }],
        cascade: { count: index, named: [] },
        files: [`packages/form-${String(index)}/package.json`],
      },
      files: index === 2 ? [{ path: 'packages/form-2/package.json', line: 12, exists: true }] : [],
    })),
    more: 0,
    answersAs: { name: 'Ada Lovelace', editable: false },
    ...change,
  };
}
