/** The form of precedents: it signs only what the host has shown, in two steps. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import type { Form } from '../harness.ts';
import { settle } from '../settled.ts';
import { listView, precedentsView } from './precedentSamples.ts';
import { givenAgain, snapshot } from './samples.ts';

describe('the form of precedents', function () {
  this.timeout(30_000);
  let form: Form;
  openForEach(questionSurface, (opened) => {
    form = opened;
  });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);

  it('is opened from an answer, or from what a precedent answered', async () => {
    await form.send(snapshot({ ...givenAgain(), precedents: { key: 'w1/precedents/Q-12', drafts: true } }));
    await form.page.getByRole('button', { name: 'Always answer this way…' }).click();
    assert.deepEqual(await onlyPosted(form, 'select'), { type: 'select', key: 'w1/precedents/Q-12' });
    await form.send(snapshot({ ...givenAgain(), precedents: { key: 'w1/precedents/', drafts: false } }));
    assert.equal(await act('precedents').innerText(), 'Precedents…');
    await form.send(snapshot(givenAgain()));
    assert.equal(await act('precedents').count(), 0);
  });

  it('shows what it would have answered; what was answered differently stands out', async () => {
    await form.send(snapshot(precedentsView()));
    const rows = form.page.locator('[data-part=earlier] li');
    assert.deepEqual(await rows.evaluateAll((all) => all.map((one) => one.classList.contains('precedent-other'))), [
      false,
      true,
      false,
    ]);
    assert.match(await form.page.locator('article').innerText(), /1 of them was answered differently/);
    assert.match(await rows.nth(2).innerText(), /not answered/);
  });

  it('is signed in the browser where only a passkey’s precedent would answer', async () => {
    await form.send(snapshot(precedentsView({ inBrowser: 'The policy asks for a passkey.' })));
    assert.equal(await act('decide').count(), 0);
    await form.page.locator('#uses').press('Control+Enter');
    await settle(form.page);
    await act('open-in-browser').click();
    assert.deepEqual(await onlyPosted(form, 'openInBrowser'), { type: 'openInBrowser', key: 'w1/precedents/Q-12' });
  });

  it('asks the host about each change, and signs nothing that it has not shown', async () => {
    await form.send(snapshot(precedentsView()));
    await form.page.locator('#uses').fill('5');
    const { key, fields } = await onlyPosted(form, 'lookAtPrecedent');
    assert.deepEqual([key, fields['uses'], fields['days']], ['w1/precedents/Q-12', '5', '30']);
    assert.equal(await act('decide').count(), 0);
    await form.page.locator('#uses').press('Control+Enter');
    assert.deepEqual(
      (await form.posted()).filter(({ type }) => type === 'setPrecedent'),
      [],
    );
    const view = precedentsView({ shown: 'sha256-five' });
    await form.send(snapshot({ ...view, draft: { ...view.draft!, fields: { ...view.draft!.fields, uses: '5' } } }));
    await settle(form.page);
    await act('decide').click();
    assert.match(
      await form.page.locator('.second-step').innerText(),
      /without asking you\?[^]*At most 5 times, until \d{4}-\d\d-\d\d\./,
    );
    await settle(form.page);
    await act('confirm').click();
    const sent = (await form.posted()).filter(({ type }) => type === 'setPrecedent');
    assert.deepEqual(
      sent.map((one) => [one.type, 'shown' in one && one.shown]),
      [['setPrecedent', 'sha256-five']],
    );
  });

  it('asks the host once to show what was typed, when something else was opened meanwhile', async () => {
    const looks = async () => (await form.posted()).filter(({ type }) => type === 'lookAtPrecedent').length;
    await form.send(snapshot(precedentsView()));
    await form.page.locator('#uses').fill('5');
    assert.equal(await looks(), 1);
    await form.send(snapshot(precedentsView()));
    assert.equal(await looks(), 1, 'the answer to that is on its way');
    await form.send(snapshot(givenAgain()));
    await form.send(snapshot(precedentsView()));
    assert.equal(await looks(), 2);
    const last = (await form.posted()).at(-1);
    assert.ok(last?.type === 'lookAtPrecedent');
    assert.deepEqual([last.key, last.fields['uses'], last.fields['days']], ['w1/precedents/Q-12', '5', '30']);
    await form.send(snapshot(precedentsView()));
    assert.equal(await looks(), 2, 'a host that does not show it is not asked again and again');
    const { draft } = precedentsView();
    const five = precedentsView({
      shown: 'sha256-five',
      draft: { ...draft!, fields: { ...draft!.fields, uses: '5' } },
    });
    await form.send(snapshot(five));
    await act('decide').waitFor();
    await form.reload();
    await form.send(snapshot(precedentsView()));
    assert.equal(await looks(), 1, 'the new page asks as well');
    await form.send(snapshot(five));
    await act('decide').waitFor();
  });

  it('says why a draft cannot be signed', async () => {
    const view = precedentsView();
    const problem = 'text: needs at least 8 letters outside placeholders';
    await form.send(snapshot({ ...view, draft: { ...view.draft!, earlier: [], problem } }));
    assert.equal(await form.page.locator('[data-part=problem]').innerText(), problem);
    assert.equal(await act('decide').count(), 0);
  });

  it('says how to make one where there is none, and asks for a name only where there is something to sign', async () => {
    const answersAs = { name: 'ada', editable: true };
    const text = () => form.page.locator('article').innerText();
    await form.send(snapshot({ ...listView(), list: [], answersAs }));
    assert.match(await text(), /None so far\. When you have answered a question, “Always answer this way…”/);
    assert.doesNotMatch(await text(), /questions like this one|Your name/);
    await form.send(snapshot({ ...listView(), answersAs }));
    assert.match(await text(), /Your name/);
    await form.send(snapshot(precedentsView()));
    assert.match(await text(), /answers questions like this one from now on/);
  });

  it('lists precedents with their uses, and ends one with a reason', async () => {
    await form.send(snapshot(listView()));
    await act('uses-P-2').click();
    assert.match(await form.page.locator('[data-id=P-2]').innerText(), /Q-11[^]*taken back[^]*Q-10/);
    assert.equal(await act('end-P-1').count(), 0);
    await act('end-P-2').click();
    await act('end-now-P-2').click();
    assert.deepEqual(await form.posted(), []);
    await form.page.locator('[id="end.P-2"]').fill('Enough.');
    await act('end-now-P-2').click();
    const { id, reason, shown } = await onlyPosted(form, 'endPrecedent');
    assert.deepEqual([id, reason, shown], ['P-2', 'Enough.', 'list']);
  });
});
