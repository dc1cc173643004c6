/** The forms about requests: what is sent, and what is not sent before it is complete. */
import assert from 'node:assert/strict';
import type { QuestionMessage } from '../../../src/ui/answer/messages.ts';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { appointView, askView, requestView, snapshot } from './samples.ts';
import { settle } from '../settled.ts';

const renderOf = ({ view }: ReturnType<typeof snapshot>) => ('render' in view ? view.render : '');

describe('the forms about requests', () => {
  const form = openForEach(questionSurface);

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const pick = (name: string) => form.page.locator('.choice-label', { hasText: new RegExp(`^${name}$`) }).click();
  const settled = () => settle(form.page);
  const saying = () => form.page.locator('.hint').innerText();

  const only = <T extends QuestionMessage['type']>(type: T) => onlyPosted(form, type);

  const shown = { key: 'w1/R-7', shown: 'sha256-request' };

  it('accept, with a note or without', async () => {
    const sent = snapshot(requestView());
    await form.send(sent);
    await settled();
    await act('decide').click();
    assert.equal(await saying(), 'Choose a response first.');
    await pick('Accept');
    await act('decide').click();
    const { act: name, ...rest } = await only('request');
    assert.match(name, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, { type: 'request', ...shown, render: renderOf(sent), action: 'accept', note: '' });
  });

  it('reject with a reason only', async () => {
    await form.send(snapshot(requestView()));
    await settled();
    await pick('Reject');
    await act('decide').click();
    assert.equal(await saying(), 'Enter a reply; the requester will read it.');
    assert.deepEqual(await form.posted(), []);
    await form.page.locator('#text').fill(' Finance does that. ');
    await form.page.keyboard.press('Control+Enter');
    const sent = await only('request');
    assert.deepEqual([sent.action, sent.note], ['reject', 'Finance does that.']);
  });

  it('defer to a time that is to come', async () => {
    await form.send(snapshot(requestView()));
    await settled();
    await pick('Defer');
    await form.page.locator('#until').fill('2020-01-01T10:00');
    await act('decide').click();
    assert.equal(await saying(), 'Choose a time in the future.');
    await form.page.locator('#until').fill('2999-01-01T10:00');
    await act('decide').click();
    const sent = await only('request');
    assert.match(sent.until ?? '', /^29(98-12-31|99-01-01)T\d\d:\d\d:00\.000Z$/);
  });

  it('show the payload folded, as text, with hidden characters visible', async () => {
    await form.send(snapshot(requestView({ payload: '{\n  "a": "<b>x</b>\u202e"\n}' })));
    await settled();
    const fold = form.page.locator('details').filter({ has: form.page.locator('summary', { hasText: 'Payload' }) });
    const text = fold.locator('pre');
    assert.equal(await text.isVisible(), false);
    await fold.locator('summary').click();
    assert.equal(await text.innerText(), '{\n  "a": "<b>x</b>U+202E"\n}');
    await form.send(snapshot(requestView()));
    assert.equal(await fold.count(), 0);
  });

  it('show what was settled, with nothing to press', async () => {
    await form.send(snapshot(requestView({ status: 'rejected', actions: [], note: 'No.' })));
    assert.match(await form.page.locator('article').innerText(), /rejected\. This request is closed\./);
    assert.equal(await act('decide').count(), 0);
  });

  it('keep a draft, and say that the request has changed meanwhile', async () => {
    await form.send(snapshot(requestView()));
    await settled();
    await pick('Reject');
    await form.page.locator('#text').fill('No.');
    await form.send(snapshot(requestView({ shown: 'sha256-other', render: 'render-1' })));
    assert.equal(await form.page.locator('#text').inputValue(), 'No.');
    assert.match(await form.page.locator('.notice').innerText(), /This has changed since you started/);
  });
  it('appoint in two steps', async () => {
    const sent = snapshot(appointView());
    await form.send(sent);
    await settled();
    await act('decide').click();
    assert.match(await saying(), /Use lower-case letters/);
    await pick('A steward');
    await form.page.locator('#id').fill('mary@shop');
    await form.page.locator('#called').fill('Mary');
    await form.page.locator('#agents').fill('mary-001,  mary-002');
    await act('decide').click();
    assert.deepEqual(await form.posted(), []);
    await settled();
    await act('confirm').click();
    const { act: _, ...rest } = await only('appoint');
    assert.deepEqual(rest, {
      type: 'appoint',
      key: 'w1/responsibilities',
      shown: 'sha256-appoint',
      render: renderOf(sent),
      id: 'mary@shop',
      kind: 'steward',
      called: 'Mary',
      agents: ['mary-001', 'mary-002'],
      confirmed: true,
    });
  });

  const field = (name: string) => form.page.locator(`#${name}`);

  it('ask, with what is missing said where it stands', async () => {
    const sent = snapshot(askView());
    await form.send(sent);
    await settled();
    const lacks = async (words: string) => {
      await act('decide').click();
      assert.equal(await saying(), words);
      assert.deepEqual(await form.posted(), []);
    };
    await lacks('Choose a sender.');
    await field('origin').selectOption('ada@shop');
    await lacks('Choose a recipient.');
    assert.deepEqual(await field('target').locator('option').allInnerTexts(), [
      'Choose…',
      'Backend (backend) · agent',
      'Jane (jane@shop) · steward',
    ]);
    await field('target').selectOption('backend');
    await lacks('Enter a subject.');
    await field('subject').fill(' Renew the certificate ');
    await lacks('Describe the request and its reason; the recipient has no other information.');
    await field('summary').fill('It ends on 4 March.');
    await form.page.locator('summary').click();
    await field('respond').fill('soon');
    await form.page.locator('summary').click();
    await lacks('Enter hours from 0.01 to 8760, or leave it empty.');
    assert.equal(await field('respond').evaluate((input) => input === document.activeElement), true);
    await field('respond').fill('1,5');
    await field('suggested').fill('Sign in\n\n Upload the key ');
    await field('priority').selectOption('sooner');
    await act('decide').click();
    const { act: name, ...rest } = await only('ask');
    assert.match(name, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      ...{ type: 'ask', key: 'w1/newRequest', shown: 'sha256-ask', render: renderOf(sent) },
      ...{ kind: 'request_for_action', origin: 'ada@shop', target: 'backend', subject: 'Renew the certificate' },
      ...{ summary: 'It ends on 4 March.', suggested: ['Sign in', 'Upload the key'], links: [], tags: [] },
      ...{ bundles: [], objectives: [], priority: 50, responseSeconds: 5_400 },
    });
  });

  it('pass on what a steward took in', async () => {
    await form.send(snapshot(askView()));
    await settled();
    assert.equal(await form.page.locator('.choice').count(), 0);
    await field('origin').selectOption('jane@shop');
    await field('target').selectOption('backend');
    await pick('New context is available');
    await field('ingestion').selectOption('R-4');
    assert.equal(await field('bundles').inputValue(), 'billing-2026-02');
    await field('subject').fill('Prices changed');
    await field('summary').fill('Read it.');
    await act('decide').click();
    assert.equal(await saying(), 'Say why the bundles matter.');
    await field('objectives').fill('Prices changed in February');
    await form.page.keyboard.press('Control+Enter');
    const sent = await only('ask');
    assert.deepEqual(
      [sent.kind, sent.origin, sent.ingestion, sent.bundles, sent.objectives],
      ['new_context_available', 'jane@shop', 'R-4', ['billing-2026-02'], ['Prices changed in February']],
    );
  });

  it('keep what was begun over a reload, and send nothing that a script clicked', async () => {
    await form.send(snapshot(askView()));
    await settled();
    await field('origin').selectOption('ada@shop');
    await field('target').selectOption('backend');
    await field('subject').fill('Renew it');
    await field('summary').fill('Please.');
    await form.reload();
    await form.send(snapshot(askView({ shown: 'sha256-other', render: 'render-1' })));
    await settled();
    assert.deepEqual(
      [await field('target').inputValue(), await field('subject').inputValue()],
      ['backend', 'Renew it'],
    );
    await act('decide').evaluate((button) => {
      (button as HTMLElement).click();
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
    });
    assert.deepEqual(
      (await form.posted()).map(({ type }) => type).filter((type) => type === 'ask'),
      [],
    );
  });

  it('lead to the form for appointing somebody if there is no sender', async () => {
    await form.send(snapshot(askView({ origins: [], ingestions: [] })));
    assert.equal(await act('decide').count(), 0);
    await act('appoint').click();
    assert.equal((await only('select')).key, 'w1/responsibilities');
  });
});
