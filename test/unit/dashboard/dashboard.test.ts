/** Tests the dashboards’ statistics with fixed data. */
import assert from 'node:assert/strict';
import { dayOf, endOf, lastDays, spans, type RequestFacts, stewardOf } from '../../../src/core/dashboard/figures.ts';
import { dashboardText } from '../../../src/cli/dashboard/dashboard.ts';
import { questionsEnded } from '../../../src/core/dashboard/agents.ts';
import { makeLab, question } from '../../support/store/lab.ts';
import { table } from '../../../src/cli/kit/outputs.ts';

const minute = 60_000;

describe('figures', () => {
  const cases: readonly (readonly [string, readonly number[], readonly (number | null)[]])[] = [
    ['nothing', [], [0, null, null, null]],
    ['one', [7], [1, 7, 7, 7]],
    ['two values: the median is between them', [3, 1], [2, 2, 2, 3]],
    ['four values: the median is between the two in the middle', [100, 1, 4, 2], [4, 27, 3, 100]],
    ['ten values: nine of them are within the 90th percentile', [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [10, 6, 6, 9]],
    ['eleven', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100], [11, 10, 1, 1]],
  ];
  for (const [name, values, expected] of cases)
    it(`spans: ${name}`, () => {
      const { count, mean_ms, median_ms, p90_ms } = spans(values);
      assert.deepEqual([count, mean_ms, median_ms, p90_ms], expected);
    });

  it('groups by the reader’s days', () => {
    const time = '2026-03-01T23:30:00.000Z';
    assert.equal(dayOf(time, { days: 1, offsetMinutes: () => 0 }), '2026-03-01');
    assert.equal(dayOf(time, { days: 1, offsetMinutes: () => 60 }), '2026-03-02');
    assert.equal(dayOf(time, { days: 1, offsetMinutes: () => -24 * 60 }), '2026-02-28');
    assert.deepEqual(lastDays(time, { days: 3, offsetMinutes: () => 0 }), ['2026-02-27', '2026-02-28', '2026-03-01']);
    assert.equal(endOf('2026-03-01', { days: 1, offsetMinutes: () => 0 }), '2026-03-02T00:00:00.000Z');
    assert.equal(endOf('2026-03-01', { days: 1, offsetMinutes: () => 330 }), '2026-03-01T18:30:00.000Z');
  });

  it('follows the reader’s time zone from winter to summer', () => {
    // Berlin: an hour ahead of UTC, and two from 2026-03-29, 01:00 UTC, on.
    const berlin = { days: 3, offsetMinutes: (time: string) => (time < '2026-03-29T01:00:00.000Z' ? 60 : 120) };
    const now = '2026-03-29T22:30:00.000Z';
    assert.deepEqual(lastDays(now, berlin), ['2026-03-28', '2026-03-29', '2026-03-30']);
    assert.equal(dayOf('2026-03-28T22:30:00.000Z', berlin), '2026-03-28');
    assert.equal(dayOf('2026-03-28T23:30:00.000Z', berlin), '2026-03-29');
    assert.equal(endOf('2026-03-28', berlin), '2026-03-28T23:00:00.000Z');
    assert.equal(endOf('2026-03-29', berlin), '2026-03-29T22:00:00.000Z');
    assert.equal(endOf('2026-03-30', berlin), '2026-03-30T22:00:00.000Z');
    const back = { days: 2, offsetMinutes: (time: string) => (time < '2026-10-25T01:00:00.000Z' ? 120 : 60) };
    assert.deepEqual(lastDays('2026-10-25T23:30:00.000Z', back), ['2026-10-25', '2026-10-26']);
    assert.equal(endOf('2026-10-25', back), '2026-10-25T23:00:00.000Z');
    // New York: midnight in UTC is the day before.
    const york = { days: 1, offsetMinutes: (time: string) => (time < '2026-03-08T07:00:00.000Z' ? -300 : -240) };
    assert.equal(endOf('2026-03-07', york), '2026-03-08T05:00:00.000Z');
    assert.equal(endOf('2026-03-08', york), '2026-03-09T04:00:00.000Z');
  });
});

describe('the request queue', () => {
  const now = '2026-03-03T12:00:00.000Z';
  const at = (day: number, hour: number) => `2026-03-0${String(day)}T${String(hour).padStart(2, '0')}:00:00.000Z`;
  const request = (more: Partial<RequestFacts>): RequestFacts => ({
    target: 'docs',
    status: 'pending',
    created_at: at(1, 9),
    available_at: at(1, 9),
    responded_at: null,
    accepted_at: null,
    processed_at: null,
    closed_at: null,
    breaches: [],
    ...more,
  });
  const facts = [
    request({}),
    request({ created_at: at(3, 8), available_at: at(3, 9), responded_at: at(3, 10) }),
    request({
      status: 'completed',
      responded_at: at(1, 12),
      accepted_at: at(1, 12),
      processed_at: at(2, 12),
      closed_at: at(2, 12),
      breaches: [{ of: 'completion', at: at(2, 11), target: 'docs' }],
    }),
    request({
      ...{ target: 'infra', status: 'rejected', closed_at: at(2, 9) },
      breaches: [{ of: 'response', at: at(1, 10), target: 'infra' }],
    }),
    request({ target: 'infra', status: 'deferred', created_at: at(2, 9), available_at: at(4, 9) }),
  ];

  it('counts, times and groups requests by day', () => {
    const steward = stewardOf(facts, now, { days: 3, offsetMinutes: () => 0 });
    const targets = steward.by_target.map(({ target, depth, breaches }) => ({ target, depth, breaches }));
    assert.deepEqual(
      steward.by_target.map(({ response, completion }) => [response.mean_ms, completion.count]),
      [
        [120 * minute, 1],
        [null, 0],
      ],
    );
    assert.deepEqual(
      { ...steward, by_target: targets },
      {
        depth: 2,
        by_status: { pending: 2, completed: 1, rejected: 1, deferred: 1 },
        by_target: [
          { target: 'docs', depth: 2, breaches: 1 },
          { target: 'infra', depth: 0, breaches: 1 },
        ],
        response: { count: 2, mean_ms: 120 * minute, median_ms: 120 * minute, p90_ms: 180 * minute },
        completion: { count: 1, mean_ms: 1440 * minute, median_ms: 1440 * minute, p90_ms: 1440 * minute },
        response_breaches: 1,
        completion_breaches: 1,
        days: [
          { day: '2026-03-01', created: 3, closed: 0, depth: 3, breaches: 1 },
          { day: '2026-03-02', created: 1, closed: 2, depth: 2, breaches: 1 },
          { day: '2026-03-03', created: 1, closed: 0, depth: 3, breaches: 0 },
        ],
      },
    );
    assert.equal(
      dashboardText('steward', steward),
      [
        '2 requests in the queue (all: 2 pending, 1 completed, 1 rejected, 1 deferred).',
        'Response: mean 2 h, median 2 h, 90% within 3 h (2); 1 breach.',
        'Completion: mean 24 h, median 24 h, 90% within 24 h (1); 1 breach.',
        'target  queue  breaches',
        'docs        2         1',
        'infra       0         1',
        'day         created  closed  open  breaches',
        '2026-03-01        3       0     3         1',
        '2026-03-02        1       2     2         1',
        '2026-03-03        1       0     3         0',
      ].join('\n'),
    );
  });

  it('is empty at first', () => {
    const { depth, response, days } = stewardOf([], now, { days: 1, offsetMinutes: () => 0 });
    assert.deepEqual(
      [depth, response.count, days],
      [0, 0, [{ day: '2026-03-03', created: 0, closed: 0, depth: 0, breaches: 0 }]],
    );
  });
});

describe('tables', () => {
  it('aligns numbers right and words left, with no trailing space', () => {
    assert.equal(
      table(
        ['a', 'count', 'what'],
        [
          ['long one', '7', 'x'],
          ['b', '12', ''],
        ],
      ),
      'a         count  what\nlong one      7  x\nb            12',
    );
    assert.equal(table(['a', 'b'], []), 'a  b');
    assert.equal(table(['a'], [['1\n2'], ['x    y\r\nz']]), 'a\n1 2\nx y z', 'each row on one line');
  });
});

describe('how the questions of an agent ended', () => {
  it('counts those that were asked back apart from those answered in one go', () => {
    const lab = makeLab();
    lab.write([1, 2, 3, 4, 5, 6].map((number) => question(number)));
    const at = '2026-03-02T13:00:00.000Z';
    const askedBack = [{ number: 1, by: 'Ada', text: 'Which one?', at, reply: null }];
    const ended: Readonly<Record<string, object>> = {
      'Q-1': { resolution: { how: 'answered', at } },
      'Q-2': { resolution: { how: 'answered', at }, askBacks: askedBack },
      'Q-3': { resolution: { how: 'cancelled', at } },
      'Q-4': { resolution: { how: 'released', at } },
      'Q-5': { resolution: { how: 'withdrawn', at } },
      'Q-6': { askBacks: askedBack },
    };
    const all = [...lab.state.questions.values()].map((one) => ({ ...one, ...ended[one.id] }));
    assert.deepEqual(questionsEnded(all), { answered_in_one_go: 1, asked_back: 2, cancelled: 1, not_needed: 2 });
    assert.deepEqual(questionsEnded([]), { answered_in_one_go: 0, asked_back: 0, cancelled: 0, not_needed: 0 });
  });
});
