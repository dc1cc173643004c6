/** The dashboard, as a person uses it. */
import assert from 'node:assert/strict';
import { layout, neighbour } from '../../../webview/dashboard/graph.ts';
import { openForEach } from '../eachForm.ts';
import { dashboardSurface } from '../harness.ts';
import { agents, humans, impact, manyHeld, snapshot, states, steward } from './samples.ts';

describe('the dashboard', () => {
  const form = openForEach(dashboardSurface, { width: 1000, height: 800 });

  const focused = () =>
    form.page.evaluate(() => document.activeElement?.getAttribute('data-node') ?? document.activeElement?.id ?? '');

  it('shows how much is held, and opens the holder', async () => {
    await form.send(snapshot(impact));
    await form.page.getByText('1 workflow held · 5 tasks held').waitFor();
    await form.page.getByRole('button', { name: 'Outbox for order events' }).first().click();
    await form.page.locator('[data-node="Q-12"]').click();
    assert.deepEqual(await form.posted(), [
      { type: 'open', id: 'RFC-1' },
      { type: 'open', id: 'Q-12' },
    ]);
  });

  it('can be navigated by arrow keys in the graph, and Enter opens', async () => {
    await form.send(snapshot(impact));
    await form.page.locator('[data-node="RFC-1"]').focus();
    await form.page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'w-7');
    await form.page.keyboard.press('ArrowRight');
    const task = await focused();
    assert.match(task, /^t-[12]$/);
    await form.page.keyboard.press('Enter');
    await form.page.keyboard.press('ArrowLeft');
    await form.page.keyboard.press('ArrowLeft');
    assert.equal(await focused(), 'RFC-1');
    await form.page.keyboard.press('Enter');
    assert.deepEqual(await form.posted(), [
      { type: 'work', id: task },
      { type: 'open', id: 'RFC-1' },
    ]);
  });

  it('lists in its table every line that the graph draws', async () => {
    await form.send(snapshot(impact));
    await form.page.locator('summary').click();
    await form.page.locator('.as-table tbody tr').first().waitFor();
    const rows = await form.page.locator('.as-table tbody tr').allInnerTexts();
    assert.equal(rows.length, impact.edges.length);
    assert.match(rows[0] ?? '', /Outbox for order events RFC-1\s+holds\s+Release 2\.4 w-7/);
  });

  it('is drawn as large as its words in a narrow tab, where it scrolls', async () => {
    await form.page.setViewportSize({ width: 390, height: 844 });
    await form.send(snapshot(impact));
    const [drawn, box] = await form.page.evaluate(() =>
      ['.graph svg', '.graph'].map((one) => document.querySelector(one)?.getBoundingClientRect().width ?? 0),
    );
    assert.ok((drawn ?? 0) > (box ?? 0));
  });

  it('switches tabs by arrow keys, and requests their data from the host', async () => {
    await form.send(snapshot(impact));
    await form.page.locator('#tab-impact').focus();
    await form.page.keyboard.press('ArrowRight');
    await form.page.keyboard.press('End');
    assert.deepEqual(await form.posted(), [
      { type: 'tab', tab: 'steward' },
      { type: 'tab', tab: 'humans' },
    ]);
    await form.send(snapshot(humans));
    assert.equal(await focused(), 'tab-humans');
    assert.equal(await form.page.locator('[role="tab"][aria-selected="true"]').innerText(), 'Humans');
  });

  it('labels today in the chart, and uses the forms’ colours of urgency', async () => {
    await form.send(snapshot(humans));
    await form.page.locator('.chart .tick-today', { hasText: 'Today' }).waitFor();
    const colours = await form.page.evaluate(() =>
      ['critical', 'high'].map((one) => {
        const mark = document.createElement('span');
        mark.style.color = `var(--urgency-${one})`;
        document.body.append(mark);
        const swatch = document.querySelector(`.swatch-${one}`);
        return [getComputedStyle(mark).color, swatch && getComputedStyle(swatch).backgroundColor];
      }),
    );
    for (const [mark, swatch] of colours) assert.equal(swatch, mark);
  });

  it('returns to its tab, with its tables open', async () => {
    await form.send(snapshot(humans));
    await form.page.locator('summary').click();
    await form.page.locator('details[open] table').waitFor();
    await form.reload();
    await form.send(snapshot(humans));
    await form.page.locator('details[open] table').waitFor();
  });

  it('opens what agents wait for, and the form that releases all of an agent’s questions', async () => {
    await form.send(snapshot(agents));
    await form.page.getByText('stopped for 12 min').waitFor();
    await form.page.getByText('Cost of waiting so far: 1 h').waitFor();
    await form.page.getByText('Has not waited for you yet').waitFor();
    await form.page.getByText('holds nothing · still working').waitFor();
    await form.page.locator('[data-act="release-all"]').click();
    await form.page.getByRole('button', { name: 'Keep the old endpoint?' }).click();
    assert.deepEqual(await form.posted(), [
      { type: 'releaseAll', agent: 'claude-002' },
      { type: 'open', id: 'Q-9' },
    ]);
    await form.send(snapshot({ ...agents, dismisses: false }));
    assert.equal(await form.page.locator('[data-act="release-all"]').count(), 0);
  });

  it('shows the same figures in every column and in the table beside the charts', async () => {
    await form.send(snapshot(humans));
    const bars = await form.page.locator('svg rect title').allTextContents();
    const sum = (name: string) =>
      bars.filter((bar) => bar.includes(`: ${name} `)).reduce((total, bar) => total + Number(bar.split(' ').at(-1)), 0);
    for (const urgency of ['critical', 'high', 'medium', 'low'] as const)
      assert.equal(
        sum(urgency),
        humans.days.reduce((total, { raised }) => total + raised[urgency], 0),
      );
    await form.page.locator('summary').click();
    await form.page.locator('.as-table tbody tr').first().waitFor();
    assert.equal(await form.page.locator('.as-table tbody tr').count(), humans.days.length);
    const [first] = humans.days;
    await form.send(snapshot({ ...humans, answered: 41_000, days: [{ ...first!, decided: 12_345 }] }));
    await form.page.getByText('41,000', { exact: true }).waitFor();
    await form.page.getByRole('cell', { name: '12,345', exact: true }).waitFor();
    assert.equal(await form.page.getByRole('rowheader').count(), 5, 'each row is named by its first cell');
    await form.send(snapshot(steward));
    await form.page.getByText('6 requests in the queue').waitFor();
  });

  it('lets the reader choose a folder', async () => {
    await form.send(states['folders']!());
    await form.page.locator('select').selectOption('1/x');
    assert.deepEqual(await form.posted(), [{ type: 'folder', key: '1/x' }]);
  });

  it('draws the first 250 nodes and says so; the table can show everything', async () => {
    await form.send(states['fiveHundred']!());
    await form.page.getByText('Showing the first 250 of 1,500').waitFor();
    assert.equal(await form.page.locator('.node').count(), 250);
    const rows = form.page.locator('.table').first().locator('tbody tr');
    assert.equal(await rows.count(), 10);
    await form.page.getByRole('button', { name: 'Show all 500' }).click();
    assert.equal(await rows.count(), 500);
  });
});

describe('the layout of the graph', () => {
  it('has no overlapping nodes, and holders on the left, with 200 nodes', () => {
    const { nodes, edges } = layout(manyHeld(66));
    assert.equal(nodes.length, 198);
    for (const [index, a] of nodes.entries())
      for (const b of nodes.slice(index + 1))
        assert.ok(Math.abs(a.x - b.x) >= 184 || Math.abs(a.y - b.y) >= 40, `${a.id} and ${b.id}`);
    const at = new Map(nodes.map((node) => [node.id, node.x]));
    for (const { from, to } of edges) assert.ok(at.get(from)! < at.get(to)!, `${from} ${to}`);
  });

  it('draws a cycle of dependencies', () => {
    const node = (id: string) => ({ id, kind: 'task', name: id, status: 'todo' }) as const;
    const edge = (from: string, to: string) => ({ from, to, kind: 'depends_on' }) as const;
    const { nodes } = layout({ nodes: [node('a'), node('b')], edges: [edge('a', 'b'), edge('b', 'a')] });
    assert.equal(nodes.length, 2);
  });

  it('keeps arrow keys inside the graph', () => {
    const placed = layout(impact);
    assert.equal(neighbour(placed, 't-5', 'ArrowRight'), undefined);
    assert.equal(neighbour(placed, 'RFC-1', 'ArrowLeft'), undefined);
    assert.equal(neighbour(placed, 'gone', 'ArrowLeft'), 'RFC-1');
    assert.equal(neighbour(placed, 't-3', 'Home'), 'RFC-1');
    assert.equal(neighbour(placed, 'RFC-1', 'x'), undefined);
  });
});
