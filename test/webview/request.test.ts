/** The forms about requests: what is sent, and what is not sent before it is complete. */
import assert from 'node:assert/strict';
import type { QuestionMessage } from '../../src/protocol/question.ts';
import { startHarness } from './harness.ts';
import type { Form, Harness } from './harness.ts';
import { appointView, requestView, snapshot } from './samples.ts';

const renderOf = ({ view }: ReturnType<typeof snapshot>) => ('render' in view ? view.render : '');

describe('the forms about requests', function () {
  this.timeout(30_000);
  let harness: Harness;
  let form: Form;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.close());
  beforeEach(async () => {
    form = await harness.open();
  });
  afterEach(async () => {
    assert.deepEqual(form.complaints, []);
    await form.close();
  });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const pick = (name: string) => form.page.locator('.choice-label', { hasText: new RegExp(`^${name}$`) }).click();
  const settled = () => form.page.waitForTimeout(400);
  const saying = () => form.page.locator('.hint').innerText();

  async function only<T extends QuestionMessage['type']>(type: T): Promise<Extract<QuestionMessage, { type: T }>> {
    const posted = await form.posted();
    assert.deepEqual(
      posted.map((message) => message.type),
      [type],
    );
    return posted[0] as Extract<QuestionMessage, { type: T }>;
  }

  const shown = { key: 'w1/R-7', shown: 'sha256-request' };

  it('accept, with a note or without', async () => {
    const sent = snapshot(requestView());
    await form.send(sent);
    await settled();
    await act('decide').click();
    assert.equal(await saying(), 'Choose what becomes of it.');
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
    assert.equal(await saying(), 'Write it first: whoever asked reads it.');
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
    assert.equal(await saying(), 'Choose a time later than now.');
    await form.page.locator('#until').fill('2999-01-01T10:00');
    await act('decide').click();
    const sent = await only('request');
    assert.match(sent.until ?? '', /^29(98-12-31|99-01-01)T\d\d:\d\d:00\.000Z$/);
  });

  it('show what was settled, with nothing to press', async () => {
    await form.send(snapshot(requestView({ status: 'rejected', actions: [], note: 'No.' })));
    assert.match(await form.page.locator('article').innerText(), /rejected\. Nothing is left to decide about it\./);
    assert.equal(await act('decide').count(), 0);
  });

  it('keep a draft, and say that the request has changed meanwhile', async () => {
    await form.send(snapshot(requestView()));
    await settled();
    await pick('Reject');
    await form.page.locator('#text').fill('No.');
    await form.send(snapshot(requestView({ shown: 'sha256-other', render: 'render-1' })));
    assert.equal(await form.page.locator('#text').inputValue(), 'No.');
    assert.match(await form.page.locator('.notice').innerText(), /It has changed since you began/);
  });

  it('take no event that a script made', async () => {
    await form.send(snapshot(requestView()));
    await settled();
    await pick('Accept');
    await act('decide').evaluate((button) => {
      (button as HTMLElement).click();
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
    });
    assert.deepEqual(await form.posted(), []);
  });

  it('appoint in two steps', async () => {
    const sent = snapshot(appointView());
    await form.send(sent);
    await settled();
    await act('decide').click();
    assert.match(await saying(), /Write an id/);
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
});
