/** The audit trail, as a person uses it. */
import assert from 'node:assert/strict';
import type { AuditMessage } from '../../../src/ui/dashboard/messages.ts';
import { openForEach } from '../eachForm.ts';
import { auditSurface } from '../harness.ts';
import { faulty, many, snapshot, sound } from './samples.ts';

describe('the audit trail', () => {
  const form = openForEach(auditSurface, { width: 1000, height: 800 });

  it('shows who did what, and whether it verifies', async () => {
    await form.send(snapshot(faulty));
    await form.page.getByText('2 records failed verification.').waitFor();
    const acts = await form.page.locator('.act').allInnerTexts();
    const folded = acts.map((act) => act.replace(/\s+/g, ' ').trim());
    assert.match(
      folded[0] ?? '',
      /^verified 2 min ago open Ada Lovelace answered Q-12: JWT: Mobile.* JWT or server-side sessions for/,
    );
    assert.match(folded[0] ?? '', /Concerns API tokens, Public API Signature$/);
    assert.match(
      folded[1] ?? '',
      /^not verified .* Ada LovelaceU\+202E \(not signed\) dismissed Q-12 without an answer/,
    );
    assert.match(folded[1] ?? '', /Why not: is signed by a key that no human enrolled/);
    assert.match(folded[2] ?? '', /with the key of Grace open Ada Lovelace approved RFC-1/);
    assert.match(folded[5] ?? '', /^refused .* copilot-001 something\.else journal/);
  });

  it('can be filtered by kind, by words and to one item, and keeps its filters over a reload', async () => {
    await form.send(snapshot(faulty));
    await form.page.locator('[data-act="scope"]').selectOption('attempts');
    // Set at once: with slow typing the page would already query part of the word.
    await form.page.locator('.search').fill('ada');
    await form.page.waitForFunction(() => (globalThis as unknown as { posted: unknown[] }).posted.length >= 3);
    await form.page.locator('[data-act="only"]', { hasText: 'API tokens' }).first().click();
    const all = await form.posted();
    assert.deepEqual(all[0], { type: 'filter', filter: { scope: 'attempts', text: '' } });
    assert.deepEqual(all[1], { type: 'filter', filter: { scope: 'attempts', text: 'ada' } });
    assert.deepEqual(all.at(-1), { type: 'filter', filter: { scope: 'all', text: '', about: 't-3' } });
    await form.reload();
    const [ready] = await form.page.evaluate(() => (globalThis as unknown as { posted: AuditMessage[] }).posted);
    assert.deepEqual(ready, { type: 'ready', filter: { scope: 'all', text: '', about: 't-3' } });
    await form.send(snapshot(faulty));
    await form.page.locator('[data-act="all-items"]').click();
    assert.deepEqual((await form.posted()).at(-1), { type: 'filter', filter: { scope: 'all', text: '' } });
  });

  it('opens an item’s form, loads more rows, and verifies again', async () => {
    await form.send(snapshot(many()));
    assert.equal(await form.page.locator('.act').count(), 200);
    await form.page.locator('[data-act="open"]').first().click();
    await form.page.getByRole('button', { name: 'Show 200 more' }).click();
    await form.page.locator('[data-act="again"]').click();
    assert.deepEqual(await form.posted(), [{ type: 'open', key: '0/Q-12' }, { type: 'more' }, { type: 'again' }]);
  });

  it('exports what is on the screen on a trusted click, and on nothing else', async () => {
    await form.send(snapshot(sound));
    await form.page.evaluate(() => {
      document.querySelector<HTMLElement>('[data-act="export"]')?.click();
    });
    assert.deepEqual(await form.posted(), []);
    await form.page.locator('[data-act="export"]').click();
    assert.deepEqual(await form.posted(), [{ type: 'export', shown: 'shown-1' }]);
    await form.send(snapshot(faulty));
    assert.equal(await form.page.locator('[data-act="export"]').count(), 0);
  });
});
