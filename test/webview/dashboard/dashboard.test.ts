/** The overview, as a person uses it. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { dashboardSurface } from '../harness.ts';
import { agents, humans, impact, requests, snapshot, states } from './samples.ts';

describe('the overview', () => {
  const form = openForEach(dashboardSurface, { width: 1000, height: 800 });

  const unfold = (text: string) => form.page.locator('summary').filter({ hasText: text }).click();

  it('shows how much is held, and opens the holder and its work', async () => {
    await form.send(snapshot({ impact }));
    await form.page.getByText('Held: 1 workflow · 5 tasks').waitFor();
    await form.page.getByRole('button', { name: 'Outbox for order events' }).click();
    await form.page.getByRole('button', { name: 'JWT or server-side sessions' }).click();
    assert.equal(await form.page.getByRole('button', { name: 'Token page in settings' }).count(), 0);
    await unfold('Holds 2 tasks');
    await form.page.getByRole('button', { name: 'Token page in settings' }).click();
    assert.deepEqual(await form.posted(), [
      { type: 'open', id: 'RFC-1' },
      { type: 'open', id: 'Q-12' },
      { type: 'work', id: 't-4' },
    ]);
  });

  it('lists every dependency below what it comes from, and unfolds an item once', async () => {
    await form.send(snapshot({ impact }));
    await unfold('Holds 1 workflow · 3 tasks');
    await unfold('Holds 2 tasks');
    const lines = await form.page.locator('.indented li').allInnerTexts();
    assert.equal(lines.length, impact.edges.length);
    assert.match(lines[0] ?? '', /^holds Release 2\.4 w-7\s+has the step Write the outbox table t-1/);
    assert.equal(lines.filter((line) => line.includes('is needed by Documentation')).length, 4, 'under one of the two');
  });

  it('lists a cycle of dependencies', async () => {
    const edge = (from: string, to: string) => ({ from, to, kind: 'depends_on' }) as const;
    const edges = [...impact.edges, edge('t-3', 't-4'), edge('t-4', 't-3')];
    await form.send(snapshot({ impact: { ...impact, edges } }));
    await unfold('Holds 2 tasks');
    await form.page.getByText('is needed by API tokens').waitFor();
  });

  it('names today first, and uses the forms’ colours of urgency', async () => {
    await form.send(snapshot({ humans }));
    await unfold('Questions per day');
    assert.equal(await form.page.locator('tr:has(.bar)').first().getByRole('rowheader').innerText(), 'Today');
    const colours = await form.page.evaluate(() =>
      ['critical', 'high'].map((one) => {
        const mark = document.createElement('span');
        mark.style.color = `var(--urgency-${one})`;
        document.body.append(mark);
        const swatch = document.querySelector(`.swatch.bar-${one}`);
        return [getComputedStyle(mark).color, swatch && getComputedStyle(swatch).backgroundColor];
      }),
    );
    for (const [mark, swatch] of colours) assert.equal(swatch, mark);
  });

  it('has its lists open after a reload', async () => {
    await form.send(states['manyAgents']!());
    await form.page.getByRole('button', { name: 'Show all 500' }).click();
    await form.page.getByText('builder-500').waitFor();
    await form.reload();
    await form.send(states['manyAgents']!());
    await form.page.getByText('builder-500').waitFor();
  });

  it('opens what agents wait for, and the form that releases all of an agent’s questions', async () => {
    await form.send(snapshot({ agents }));
    await form.page.getByText('stopped for 12 min').waitFor();
    await form.page.getByText('Waited for you: 1 h in all').waitFor();
    await form.page.getByText('holds nothing · still working').waitFor();
    await form.page.locator('[data-act="release-all"]').click();
    await form.page.getByRole('button', { name: 'Keep the old endpoint?' }).click();
    assert.deepEqual(await form.posted(), [
      { type: 'releaseAll', agent: 'claude-002' },
      { type: 'open', id: 'Q-9' },
    ]);
    await form.send(snapshot({ agents, dismisses: false }));
    assert.equal(await form.page.locator('[data-act="release-all"]').count(), 0);
  });

  it('lists what waits in other folders, opens it there, and forgets a missing folder', async () => {
    await form.send(states['otherFolders']!());
    await form.page.getByText('In other folders').waitFor();
    await form.page.getByText('A file of the journal is missing.').waitFor();
    await form.page.getByRole('button', { name: 'Pay out daily or weekly?' }).click();
    await form.page.getByRole('button', { name: 'Request REQ-2' }).click();
    await form.page.getByRole('button', { name: 'docs', exact: true }).click();
    await form.page.locator('[data-act="remove-other"]').click();
    const folder = '/home/dev/payments';
    assert.deepEqual(await form.posted(), [
      { type: 'other', folder, id: 'Q-3' },
      { type: 'other', folder, id: 'REQ-2' },
      { type: 'other', folder: '/home/dev/docs', id: null },
      { type: 'removeOther', folder: '/home/dev/old' },
    ]);
    await form.send(snapshot({ agents }));
    assert.equal(await form.page.getByText('In other folders').count(), 0);
  });

  it('draws each day as long as its figures', async () => {
    await form.send(snapshot({ humans }));
    await unfold('Questions per day');
    const rows = form.page.locator('tr:has(.bar)');
    assert.equal(await rows.count(), humans.days.length);
    const lengths = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('.bar > span')].reduce((sum, one) => sum + one.clientWidth, 0)),
    );
    const sums = humans.days.map(({ raised }) => Object.values(raised).reduce((a, b) => a + b, 0)).reverse();
    for (const [at, length] of lengths.entries())
      assert.ok(Math.abs(length - (160 * (sums[at] ?? 0)) / Math.max(...sums)) < 4, `${String(at)}: ${String(length)}`);
    const [first] = humans.days;
    await form.send(snapshot({ humans: { ...humans, answered: 41_000, days: [{ ...first!, decided: 12_345 }] } }));
    await form.page.getByText('41,000', { exact: true }).waitFor();
    await form.page.getByRole('cell', { name: '12,345', exact: true }).waitFor();
    assert.equal(await form.page.getByRole('rowheader').count(), 5, 'each row is named by its first cell');
  });

  it('has figures of requests only in a workspace with requests', async () => {
    await form.send(snapshot({ agents, humans }));
    assert.equal(await form.page.getByText('Breaches').count(), 0);
    await form.send(snapshot({ requests }));
    await form.page.getByText('6 requests in the queue').waitFor();
    await unfold('Requests per day');
    await form.page.getByRole('columnheader', { name: 'Created' }).waitFor();
  });

  it('lets the reader choose a folder', async () => {
    await form.send(states['folders']!());
    await form.page.locator('select').selectOption('1/x');
    assert.deepEqual(await form.posted(), [{ type: 'folder', key: '1/x' }]);
  });

  it('lists the first ten holders; a click shows all', async () => {
    await form.send(states['manyHeld']!());
    const rows = form.page.locator('.section .entry');
    assert.equal(await rows.count(), 10);
    await form.page.getByRole('button', { name: 'Show all 500' }).click();
    assert.equal(await rows.count(), 500);
  });
});
