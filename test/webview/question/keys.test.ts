/** The forms about keys: what they send, and what they ask first. */
import assert from 'node:assert/strict';
import type { QuestionMessage } from '../../../src/ui/answer/messages.ts';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { enrolView, inBrowserWords, keysView, managedWords, remoteWords, snapshot, states } from './samples.ts';
import { settle } from '../settled.ts';
import { post, stopTheClock } from '../standing.ts';

describe('the forms about keys', () => {
  const form = openForEach(questionSurface);

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const mark = (view: { key: string; shown: string; render: string }) => ({
    key: view.key,
    shown: view.shown,
    render: view.render,
  });

  async function sent(): Promise<object[]> {
    return (await form.posted()).map((message: QuestionMessage) => {
      const { act: _, ...rest } = message as QuestionMessage & { act?: string };
      return rest;
    });
  }

  it('an editor that cannot sign shows the question, and one button that leads on', async () => {
    await form.show(states['stranger']!());
    await form.page.locator('#question', { hasText: 'JWT or server-side sessions' }).waitFor();
    assert.equal(await act('decide').count(), 0);
    await form.page.keyboard.press('1');
    assert.equal(await form.page.locator('input:checked').count(), 0);
    await act('use-editor').click();
    assert.deepEqual(await form.posted(), [{ type: 'select', key: 'w1/enrol' }]);
  });

  it('what only a passkey decides has one button, which opens the browser; the agent can be asked back', async () => {
    const view = states['inBrowser']!();
    await form.show(view);
    assert.equal(await act('decide').count(), 0);
    await form.page.keyboard.press('1');
    await form.page.keyboard.press('Control+Enter');
    assert.equal(await form.page.locator('input:checked').count(), 0);
    await act('open-in-browser').click();
    const { key } = view.view as { key: string };
    assert.deepEqual(await form.posted(), [{ type: 'openInBrowser', key }]);
    await act('ask-back').click();
    await form.page.locator('.panel-title').waitFor();
  });

  it('a draft from before is kept to copy, and not sent', async () => {
    const open = states['approval']!();
    await form.show(open);
    await form.page.locator('textarea').fill('Only on Sunday.');
    const { view } = open;
    assert.ok(view.type === 'question');
    await form.send({ ...open, view: { ...view, inBrowser: inBrowserWords } });
    await form.page.locator('.left-over', { hasText: 'Only on Sunday.' }).waitFor();
    assert.deepEqual(await sent(), []);
  });

  it('in a remote window, says once where the key is, and offers a passkey instead of it', async () => {
    await form.send(snapshot(keysView({ remote: remoteWords })));
    assert.equal(await form.page.locator('[data-note="remote"]').innerText(), remoteWords);
    await form.page.getByText('Use a passkey instead…').click();
    assert.deepEqual(await form.posted(), [{ type: 'addPasskey', key: 'w1/keys' }]);
    await form.send(snapshot(keysView()));
    assert.equal(await act('add-passkey').innerText(), 'Add a Passkey…');
  });

  it('a passkey is renamed and given up in two steps, and confirmed in the browser where that takes a passkey', async () => {
    await form.send(states['keysPasskeys']!());
    const [phone, drawer] = [form.page.locator('[data-key="k-8"]'), form.page.locator('[data-key="k-9"]')];
    assert.match(await phone.innerText(), /last used here/);
    assert.match(await drawer.innerText(), /cannot decide yet/);
    assert.equal(await form.page.locator('[data-act="confirm-passkey"]').count(), 0);
    await phone.locator('[data-act="rename-passkey"]').click();
    await form.page.locator('#newName').fill(' Old phone ');
    assert.deepEqual(await sent(), []);
    await settle(form.page);
    await act('confirm').click();
    const [message] = await sent();
    const what = { do: 'renamePasskey', keyid: 'k-8', label: 'Old phone' };
    assert.deepEqual((message as { what: object }).what, what);
  });

  it('the name that this editor signs with is changed in two steps, before its first decision too', async () => {
    for (const view of [snapshot(keysView()), states['keysNone']!()]) {
      await form.send(view);
      await act('rename').click();
      await form.page.locator('#newName').fill(' Grace Hopper ');
      await settle(form.page);
      await act('confirm').click();
      const message = (await sent()).at(-1);
      assert.deepEqual((message as { what: object }).what, { do: 'rename', label: 'Grace Hopper' });
      await form.reload();
    }
  });

  it('a new key is made in two steps', async () => {
    const view = keysView();
    await form.send(snapshot(view));
    await act('rotate').click();
    assert.deepEqual(await sent(), []);
    assert.match(await form.page.locator('.second-step').innerText(), /signs the new one and nothing after that/);
    await settle(form.page);
    await act('confirm').click();
    const at = { ...mark(view), render: (await sent())[0]! };
    assert.deepEqual(await sent(), [
      {
        type: 'keys',
        ...mark(view),
        render: (at.render as { render: string }).render,
        what: { do: 'rotate' },
        confirmed: true,
      },
    ]);
  });

  it('Back from the second step does nothing, and another act can be begun', async () => {
    await form.send(snapshot(keysView()));
    await act('rotate').click();
    await act('back').click();
    await settle(form.page);
    await act('take-out').click();
    assert.match(await form.page.locator('.second-step').innerText(), /Remove the key of Grace Hopper\?/);
    await settle(form.page);
    await act('confirm').click();
    const [message] = await sent();
    assert.deepEqual((message as { what: object }).what, { do: 'takeOut', keyid: 'k-2' });
  });

  it('a key no form let in is said to be one, and may stay or go', async () => {
    await form.send(states['keysAfterLoss']!());
    const row = form.page.locator('[data-key="k-3"]');
    assert.match(await row.innerText(), /This key was not added through a form of this editor/);
    assert.equal(await form.page.locator('[data-key="k-2"] [data-act=keep]').count(), 0);
    await row.locator('[data-act=take-out]').click();
    assert.match(await form.page.locator('.second-step').innerText(), /Everything it signed is void/);
    await settle(form.page);
    await act('confirm').click();
    const [message] = await sent();
    assert.deepEqual((message as { what: object }).what, { do: 'takeOut', keyid: 'k-3' });
  });

  it('a teammate’s key is looked at first, then compared and trusted by name', async () => {
    await form.send(snapshot(keysView()));
    await act('look').click();
    assert.equal(await form.page.locator('.hint').innerText(), 'Paste the public key first.');
    await form.page.locator('#pasted').fill('  MCowBQYDK2VwAyEA Mary  ');
    await act('look').click();
    assert.deepEqual(await sent(), [{ type: 'lookAtKey', key: 'w1/keys', text: 'MCowBQYDK2VwAyEA Mary' }]);
    await form.send(states['keysCandidate']!());
    assert.equal(await act('rotate').count(), 0, 'nothing else can be begun meanwhile');
    await form.page.locator('#calledKey').fill('');
    await act('confirm').click();
    assert.equal(await form.page.locator('.hint').innerText(), 'Enter the owner’s name.');
    await form.page.locator('#calledKey').fill('Mary S.');
    await act('confirm').click();
    const [, message] = await sent();
    assert.deepEqual((message as { what: object }).what, { do: 'trust', called: 'Mary S.' });
    assert.equal((message as { shown: string }).shown, 'sha256-candidate');
  });

  it('a passkey that a root adds is named as its human calls it, with where it signs', async () => {
    await form.send(states['keysPasskeyCandidate']!());
    const facts = form.page.locator('.second-step [data-part="passkey"]');
    assert.equal(await facts.innerText(), 'The passkey “Mary’s phone”, which signs at https://holdpoint.example.com.');
  });

  it('a look can be ended without trusting', async () => {
    await form.send(states['keysCandidate']!());
    await act('back').click();
    assert.deepEqual(await sent(), [{ type: 'lookAtKey', key: 'w1/keys', text: '' }]);
  });

  it('where an administrator manages the keys there is no button that cannot work', async () => {
    for (const view of [keysView({ managed: managedWords }), enrolView({ managed: managedWords })]) {
      await form.send(snapshot(view));
      await form.page.getByText('only its administrator can change').waitFor();
      for (const name of ['rotate', 'take-out', 'look', 'decide', 'keep'])
        assert.equal(await act(name).count(), 0, name);
    }
    await act('copy-key').click();
    assert.deepEqual(await sent(), [{ type: 'copyPublicKey', key: 'w1/enrol' }]);
  });

  it('the only root of a team is warned, and makes another key a root in two steps', async () => {
    await form.send(states['keysOnlyRoot']!());
    await form.page.getByText('Yours is the only team owner key').waitFor();
    assert.equal(await act('rotate').count(), 0);
    await act('make-root').click();
    assert.deepEqual(await sent(), []);
    assert.match(
      await form.page.locator('.second-step').innerText(),
      /key of Grace Hopper a team owner key[\s\S]*yours included/,
    );
    await settle(form.page);
    await act('confirm').click();
    const [message] = await sent();
    assert.deepEqual((message as { what: object }).what, { do: 'makeRoot', keyid: 'k-2' });
  });

  it('one of several roots of a team sees who the others are, and can remove them', async () => {
    await form.send(states['keysRoots']!());
    await form.page.locator('[data-key="k-2"]', { hasText: 'team owner key' }).waitFor();
    assert.equal(await form.page.getByText('Yours is the only team owner key').count(), 0);
    assert.equal(await form.page.locator('[data-key="k-2"] [data-act=make-root]').count(), 0);
    assert.equal(await form.page.locator('[data-key="k-2"] [data-act=take-out]').count(), 1);
    await form.send(snapshot(keysView()));
    assert.equal(await act('make-root').count(), 0, 'outside of a team there are no roots');
  });

  it('where a team shares a key ring, an editor that is not in it shows whom to ask and copies its key', async () => {
    await form.send(states['enrolTeam']!());
    await form.page.getByText('Ask Ada or Grace to add it.').waitFor();
    assert.equal(await form.page.getByText('An administrator manages').count(), 0);
    for (const name of ['decide', 'keep']) assert.equal(await act(name).count(), 0, name);
    await act('copy-key').click();
    assert.deepEqual(await sent(), [{ type: 'copyPublicKey', key: 'w1/enrol' }]);
  });

  it('a lost key is given up in two steps, by name', async () => {
    await form.send(snapshot(enrolView()));
    await form.page.locator('fieldset label', { hasText: 'Ada Lovelace' }).click();
    await act('decide').click();
    assert.deepEqual(await sent(), []);
    const step = await form.page.locator('.second-step').innerText();
    assert.match(step, /Ada Lovelace[\s\S]*can no longer sign[\s\S]*audit trail/);
    assert.doesNotMatch(step, /Grace/);
    await settle(form.page);
    await act('confirm').click();
    const [message] = await sent();
    const { type, lost, confirmed, name } = message as Extract<QuestionMessage, { type: 'enrol' }>;
    assert.deepEqual({ type, lost, confirmed, name }, { type: 'enrol', lost: ['k-1'], confirmed: true, name: 'ada' });
  });

  it('nothing is decided in the first moment of a form', async () => {
    await stopTheClock(form);
    await post(form, snapshot(enrolView()));
    await act('decide').click();
    assert.deepEqual(await sent(), []);
    await form.page.clock.runFor(1_000);
    await act('decide').click();
    assert.equal((await sent()).length, 1);
  });

  it('a loss stays to be seen', async () => {
    await form.send(states['keysAfterLoss']!());
    assert.match(await form.page.locator('[data-note=lost]').innerText(), /Ada Lovelace was reported lost/);
    assert.match(await form.page.locator('[data-note=remote]').innerText(), /remote machine/);
  });
});
