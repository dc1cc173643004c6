/** What was entered in the sections of the settings stays when a section, or the whole tab, is hidden. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { openAdvanced } from '../../support/answerForm.ts';
import { full, enrolView, keysView, life, policyView, snapshot, states } from './samples.ts';
import { settle } from '../settled.ts';

describe('the settings, left and opened again', () => {
  const form = openForEach(questionSurface);

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const field = (name: string) => form.page.locator(`#${name}`);
  const shared = { lease: { seconds: 60, strictGlobs: [] } };
  const policy = () => snapshot(policyView({}, shared, true), { tab: true });

  /** Edits a field of each kind. */
  async function editAll(): Promise<void> {
    await openAdvanced(form.page);
    await field('wait-critical').fill('7x');
    await field('remind-low').fill('90');
    await field('park-high').fill('12');
    await field('how-high').selectOption('silent');
    await field('perHour').fill('15');
    await act('add-agents').click();
    await field('agents-0-agent').fill('build-bot');
    await field('agents-0-how').selectOption('silent');
    await form.page.getByText('It becomes critical').click();
    await form.page.getByLabel('Codex').check();
    await act('add-globs').click();
    await field('globs-0-it').fill('payments/**');
    await field('ticked').selectOption('low');
    await form.page.getByText('It is reassigned').click();
    await field('reassign').selectOption('jane@shop');
    await form.page.getByText('A language model reviews it first').click();
    await act('add-tools').click();
    await field('tools-0-it').fill('docs/search');
  }

  async function assertAll(): Promise<void> {
    const values = [
      'wait-critical',
      'remind-low',
      'park-high',
      'how-high',
      'perHour',
      'agents-0-how',
      'globs-0-it',
      'ticked',
      'reassign',
    ];
    assert.deepEqual(await Promise.all(values.map((name) => field(name).inputValue())), [
      ...['7x', '90', '12', 'silent', '15', 'silent', 'payments/**', 'low', 'jane@shop'],
    ]);
    for (const label of ['It becomes critical', 'Codex', 'A language model reviews it first'])
      assert.equal(await form.page.getByLabel(label).first().isChecked(), true, label);
    assert.equal(await field('tools-0-it').inputValue(), 'docs/search');
    assert.equal(await field('lease').inputValue(), '60', 'what nobody edited is as before');
  }

  it('the edited policy stays while the tab is hidden, and while another section is shown', async () => {
    await form.send(policy());
    await editAll();
    await assertAll();
    for (const other of [snapshot(keysView(), { tab: true }), snapshot(full())]) {
      await form.send(other);
      await form.send(policy());
      await assertAll();
    }
    await form.reload();
    await form.send(policy());
    await assertAll();
    assert.equal(await form.page.locator('.notice-info').count(), 0);
  });

  it('each folder has its own', async () => {
    await form.send(policy());
    await field('wait-critical').fill('72');
    await form.send(snapshot(policyView({ key: 'w2/policy', shown: 'other' }), { tab: true }));
    assert.equal(await field('wait-critical').inputValue(), '24');
    assert.equal(await act('discard').count(), 0);
  });

  it('a button discards what was entered; typing the old values again leaves nothing to discard', async () => {
    await form.send(policy());
    assert.equal(await act('discard').count(), 0);
    await field('wait-critical').fill('72');
    await act('discard').click();
    assert.equal(await field('wait-critical').inputValue(), '24');
    assert.equal(await act('discard').count(), 0);
    await field('wait-critical').fill('72');
    await field('wait-critical').fill('24');
    assert.equal(await act('discard').count(), 0);
    await form.reload();
    await form.send(policy());
    assert.equal(await field('wait-critical').inputValue(), '24');
  });

  it('an assignee that is gone has to be chosen again', async () => {
    await form.send(policy());
    await openAdvanced(form.page);
    await form.page.getByText('It is reassigned').click();
    await field('reassign').selectOption('jane@shop');
    const fields = policyView().fields.map((one) => (one.name === 'reassign' ? { ...one, options: [] } : one));
    await form.send(snapshot(policyView({ fields, shown: 'other' }), { tab: true }));
    await act('decide').click();
    assert.equal(await form.page.locator('.hint').innerText(), 'Choose a new assignee.');
    assert.deepEqual(await form.posted(), []);
  });

  it('saved: nothing is left to discard', async () => {
    await form.send(policy());
    await field('wait-critical').fill('72');
    await act('decide').click();
    await settle(form.page);
    await act('confirm').click();
    const outcome = { type: 'done', act: (await onlyPosted(form, 'policy')).act, text: 'Saved.' } as const;
    await form.send(
      snapshot(policyView({ shown: 'after' }, { ...shared, questionLife: life(72) }, true), { tab: true, outcome }),
    );
    assert.equal(await act('discard').count(), 0);
    await form.reload();
    await form.send(
      snapshot(policyView({ shown: 'later' }, { ...shared, questionLife: life(5) }, true), { tab: true }),
    );
    assert.equal(await field('wait-critical').inputValue(), '5');
  });

  it('a pasted key stays, with the name that was typed for it, but not for another key', async () => {
    await form.send(snapshot(keysView()));
    await field('pasted').fill('MCowBQYDK2VwAyEA Mary');
    await form.send(states['keysCandidate']!());
    await field('calledKey').fill('Mary S.');
    await form.reload();
    await form.send(snapshot(keysView()));
    assert.equal(await field('pasted').inputValue(), 'MCowBQYDK2VwAyEA Mary');
    await form.send(states['keysCandidate']!());
    assert.equal(await field('calledKey').inputValue(), 'Mary S.');
    const { view } = states['keysPasskeyCandidate']!();
    assert.ok(view.type === 'keys' && view.candidate);
    const other = { ...view.candidate, name: 'Linus', fingerprint: '0000 1111' };
    await form.send(snapshot(keysView({ candidate: other, shown: 'sha256-linus' })));
    assert.equal(await field('calledKey').inputValue(), 'Linus');
  });

  it('the new name of a passkey stays with that passkey', async () => {
    await form.send(states['keysPasskeys']!());
    const row = (keyid: string) => form.page.locator(`[data-key="${keyid}"]`);
    await row('k-8').locator('[data-act="rename-passkey"]').click();
    await field('newName').fill('Old phone');
    await act('back').click();
    await settle(form.page);
    await row('k-9').locator('[data-act="rename-passkey"]').click();
    assert.equal(await field('newName').inputValue(), 'Security key in the drawer');
    await form.reload();
    await form.send(states['keysPasskeys']!());
    await row('k-8').locator('[data-act="rename-passkey"]').click();
    assert.equal(await field('newName').inputValue(), 'Old phone');
  });

  it('ticks of lost keys stay; a changed list is pointed out, and a key that is gone is not given up', async () => {
    await form.send(snapshot(enrolView()));
    await form.page.locator('fieldset label', { hasText: 'Ada Lovelace' }).click();
    await form.page.locator('fieldset label', { hasText: 'Grace Hopper' }).click();
    await form.send(snapshot(full()));
    await form.reload();
    await form.send(snapshot(enrolView()));
    assert.equal(await form.page.locator('input[name=lost]:checked').count(), 2);
    assert.equal(await form.page.locator('.notice-info').count(), 0);
    await form.send(snapshot(enrolView({ pinned: enrolView().pinned.slice(1), shown: 'sha256-one' })));
    assert.match(await form.page.locator('.notice-info').innerText(), /The list has changed since you started/);
    await act('decide').click();
    await settle(form.page);
    await act('confirm').click();
    assert.deepEqual((await onlyPosted(form, 'enrol')).lost, ['k-2']);
  });
});
