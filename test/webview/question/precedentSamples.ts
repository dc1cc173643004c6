/** What the host might send of precedents. */
import type { PrecedentsView } from '../../../src/protocol/question/precedents.ts';
import { before } from './samples.ts';

const fields = {
  text: 'Add dependency `{name: word}` {version: version} to the web client?',
  'more.background': 'Needed by {what: text}.',
  work: 'W-storefront-2026',
  globs: 'apps/web/package.json\napps/web/package-lock.json',
  days: '30',
  uses: '20',
};

export function precedentsView(change: Partial<PrecedentsView> = {}): PrecedentsView {
  return {
    type: 'precedents',
    key: 'w1/precedents/Q-12',
    shown: 'sha256-precedent',
    render: 'render-0',
    draft: {
      from: 'Q-12',
      kind: 'decision',
      choices: ['Add it', 'Leave it', 'Write it ourselves'],
      answer: { choices: ['Add it'], text: 'Only with a pinned version.', effect: 'proceed' },
      fields,
      until: '2026-12-03T23:59:59.999Z',
      earlier: [
        {
          ...{ key: 'w1/Q-12', id: 'Q-12', text: 'Add dependency `date-fns` 4.1.0 to the web client?' },
          ...{ raisedAt: before(12), answer: 'Add it: Only with a pinned version.', same: true },
        },
        {
          ...{ key: 'w1/Q-9', id: 'Q-9', text: 'Add dependency `left-pad` 1.3.0 to the web client?' },
          ...{ raisedAt: before(3_000), answer: 'Write it ourselves', same: false },
        },
        {
          ...{
            key: 'w1/Q-4',
            id: 'Q-4',
            text: 'Add dependency `a-package-with-a-very-long-name-indeed` 1.0.0 to the web client?',
          },
          ...{ raisedAt: before(9_000), same: false },
        },
      ],
    },
    list: [
      {
        ...{ id: 'P-2', status: 'in_force', text: 'Delete the generated file {file: path src/generated/**}?' },
        ...{ answer: 'Yes', by: 'Ada Lovelace', until: '2026-12-01T23:59:59.999Z', used: 2, atMost: 20 },
        uses: [
          { key: 'w1/Q-11', id: 'Q-11', at: before(60), takenBack: true },
          { key: 'w1/Q-10', id: 'Q-10', at: before(90), takenBack: false },
        ],
      },
      {
        ...{ id: 'P-1', status: 'expired', text: 'Retry the flaky job {n: number 0-3} times?' },
        ...{ answer: 'Yes, at most 3 times', by: 'Grace', until: '2026-11-01T23:59:59.999Z', used: 0, atMost: 5 },
        uses: [],
      },
    ],
    answersAs: { name: 'Ada Lovelace', editable: false },
    ...change,
  };
}

/** The list alone, without a draft. */
export function listView(): PrecedentsView {
  const { draft: _, ...view } = precedentsView({ shown: 'list', key: 'w1/precedents/' });
  return view;
}
