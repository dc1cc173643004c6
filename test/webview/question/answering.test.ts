/** Answering, as only a person can. */
import assert from 'node:assert/strict';
import type { QuestionMessage } from '../../../src/ui/answer/messages.ts';
import type { Snapshot } from '../../../src/ui/answer/form.ts';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { openWays, readAll } from '../../support/answerForm.ts';
import { post, stopTheClock } from '../standing.ts';
import {
  approval,
  asynchronous,
  full,
  givenAgain,
  multiple,
  plain,
  recoveryView,
  revoked,
  snapshot,
  states,
} from './samples.ts';

type Answer = Extract<QuestionMessage, { type: 'answer' }>;

describe('the form: answering', () => {
  const form = openForEach(questionSurface);

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const text = () => form.page.locator('#text');

  /** The one message that was posted since the page was opened. */
  async function onlyMessage(): Promise<QuestionMessage> {
    const posted = await form.posted();
    assert.equal(posted.length, 1, JSON.stringify(posted));
    return posted[0]!;
  }

  async function onlyAnswer(): Promise<Answer> {
    const message = await onlyMessage();
    assert.equal(message.type, 'answer');
    return message;
  }

  /** Answers, and gives the snapshot's view back with what was answered. */
  async function sendAnswer(words: string): Promise<string> {
    await text().fill(words);
    await act('decide').click();
    return (await onlyAnswer()).act;
  }

  it('by mouse: a choice and a reason, tied to what was shown', async () => {
    const sent = snapshot(full());
    await form.send(sent);
    await form.page.getByText('JWT', { exact: true }).click();
    await text().fill('  Mobile clients keep their tokens anyway. ');
    await act('decide').click();
    const { act: name, ...rest } = await onlyAnswer();
    assert.match(name, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      type: 'answer',
      key: 'w1/Q-12',
      shown: 'sha256-q12',
      render: 'render' in sent.view && sent.view.render,
      choices: ['JWT'],
      text: 'Mobile clients keep their tokens anyway.',
      confirmed: false,
    });
  });

  it('by keyboard only: Tab to the choices, arrows, Tab to the text, Ctrl+Enter', async () => {
    await form.send(snapshot(full()));
    const { keyboard } = form.page;
    for (let presses = 0; presses < 40; presses++) {
      await keyboard.press('Tab');
      if (await form.page.evaluate(() => document.activeElement?.matches('input[name=choice]'))) break;
    }
    await keyboard.press('ArrowDown');
    await keyboard.press('Tab');
    await keyboard.type('Simple enough');
    await keyboard.press('Control+Enter');
    const { choices, text: reason } = await onlyAnswer();
    assert.deepEqual({ choices, reason }, { choices: ['JWT'], reason: 'Simple enough' });
  });

  it('opened on purpose: the first choice has the keyboard; one key picks, one answers', async () => {
    await form.send(snapshot(full(), { focus: 'opened-1' }));
    assert.equal(await focused(), 'choice-0');
    await form.page.keyboard.press('3');
    await form.page.keyboard.press('Control+Enter');
    assert.deepEqual((await onlyAnswer()).choices, ['Neither yet']);
  });

  it('opened on purpose: without choices one types at once', async () => {
    await form.send(snapshot(plain(), { focus: 'opened-1' }));
    await form.page.keyboard.type('UTC 24/7');
    await form.page.keyboard.press('Control+Enter');
    assert.equal((await onlyAnswer()).text, 'UTC 24/7');
  });

  it('tab stops go from top to bottom, as one reads', async () => {
    await form.send(snapshot(full(), { ignored: 3 }));
    const tops: number[] = [];
    for (let presses = 0; presses < 60; presses++) {
      await form.page.keyboard.press('Tab');
      const top = await form.page.evaluate(() =>
        document.activeElement === document.body
          ? undefined
          : (document.activeElement?.getBoundingClientRect().top ?? 0) + window.scrollY,
      );
      if (top === undefined) break;
      tops.push(Math.round(top));
    }
    assert.ok(tops.length > 14, `${tops.length} stops`);
    // Chips and links on one line differ by a few pixels.
    for (const [index, top] of tops.entries()) {
      if (index > 0) assert.ok(top >= tops[index - 1]! - 6, `stop ${index}: ${tops.join(' ')}`);
    }
  });

  it('number keys pick and take back, but not while one types', async () => {
    await form.send(snapshot(full()));
    await form.page.keyboard.press('2');
    assert.deepEqual(await checked(), ['1']);
    await form.page.keyboard.press('2');
    assert.deepEqual(await checked(), []);
    await text().click();
    await form.page.keyboard.type('12');
    assert.deepEqual(await checked(), []);
    assert.equal(await text().inputValue(), '12');
  });

  it('async: the assumption is the first choice, and goes as words', async () => {
    await form.send(snapshot(asynchronous()));
    await form.page.keyboard.press('1');
    assert.deepEqual(await checked(), ['0']);
    await text().fill('Excel reads both.');
    await act('decide').click();
    const { choices, text: said } = await onlyAnswer();
    assert.deepEqual(choices, []);
    assert.equal(said, 'Yes: only those that need it, as RFC 4180 allows\nExcel reads both.');
  });

  it('async: another answer does not confirm the assumption', async () => {
    await form.send(snapshot(asynchronous()));
    await text().fill('Every field.');
    await act('decide').click();
    assert.equal((await onlyAnswer()).text, 'Every field.');
  });

  it('async: an assumption is no choice where a yes is no answer', async () => {
    await form.send(snapshot(asynchronous({ assumption: { text: 'A' } })));
    assert.equal(await form.page.locator('input[name=choice]').count(), asynchronous().choices.length);
  });

  it('several choices', async () => {
    await form.send(snapshot(multiple()));
    await form.page.keyboard.press('4');
    await form.page.getByLabel('Chrome').click();
    await act('decide').click();
    assert.deepEqual((await onlyAnswer()).choices, ['Chrome', 'Edge']);
  });

  it('text alone may answer beside choices: a picked one is taken back by a second click', async () => {
    await form.send(snapshot(full()));
    const jwt = form.page.getByText('JWT', { exact: true });
    await jwt.click();
    await jwt.click();
    await text().fill('Neither: use mTLS.');
    await act('decide').click();
    const { choices, text: reason } = await onlyAnswer();
    assert.deepEqual({ choices, reason }, { choices: [], reason: 'Neither: use mTLS.' });
  });

  it('nothing recommended is picked for me', async () => {
    await form.send(snapshot(full()));
    assert.deepEqual(await checked(), []);
  });

  describe('what is missing is said, and nothing is sent', () => {
    const cases: [string, () => Snapshot, (() => Promise<void>) | undefined, string][] = [
      ['no answer', () => snapshot(plain()), undefined, 'Write an answer first.'],
      ['only spaces', () => snapshot(plain()), () => text().fill('  \n '), 'Write an answer first.'],
      ['no choice', () => snapshot(full()), undefined, 'Choose one, or write an answer.'],
      ['no choice, no text allowed', () => snapshot(full({ freeText: 'none' })), undefined, 'Choose one first.'],
      ['too long', () => snapshot(plain()), () => text().fill('x'.repeat(5_003)), '5,003 of 5,000: shorten it by 3.'],
    ];
    for (const [name, make, prepare, said] of cases) {
      it(name, async () => {
        await form.send(make());
        await prepare?.();
        await act('decide').click();
        await form.page.getByText(said).waitFor();
        await form.page.keyboard.press('Control+Enter');
        assert.deepEqual(await form.posted(), []);
      });
    }
  });

  it('the count appears from 80 % of 5,000, and never cuts', async () => {
    await form.send(snapshot(plain()));
    await text().fill('x'.repeat(3_999));
    assert.equal(await form.page.locator('.count').count(), 0);
    await text().fill('x'.repeat(4_000));
    assert.equal(await form.page.locator('.count').textContent(), '4,000 of 5,000');
    await text().fill('x'.repeat(5_100));
    assert.equal((await text().inputValue()).length, 5_100);
  });

  it('at first use the name goes with the answer', async () => {
    await form.send(snapshot(plain({ answersAs: { name: 'ada', editable: true } })));
    await text().fill('UTC');
    assert.match(await form.page.locator('.foot').innerText(), /answering as ada/);
    await act('decide').click();
    assert.equal((await onlyAnswer()).name, 'ada');
  });

  describe('critical: two steps, both in the form', () => {
    beforeEach(async () => {
      await form.send(snapshot(approval()));
      await form.page.keyboard.press('1');
    });

    it('the first sends nothing, the second does', async () => {
      await act('decide').click();
      await act('confirm').waitFor();
      assert.deepEqual(await form.posted(), []);
      await settled();
      await act('confirm').click();
      const { choices, confirmed } = await onlyAnswer();
      assert.deepEqual({ choices, confirmed }, { choices: ['Yes'], confirmed: true });
    });

    it('a refusal takes two steps too, and needs no reason', async () => {
      await form.page.keyboard.press('2');
      await act('decide').click();
      await act('confirm').waitFor();
      await settled();
      await act('confirm').click();
      const { choices, text: reason, effect, confirmed } = await onlyAnswer();
      assert.deepEqual(
        { choices, reason, effect, confirmed },
        { choices: ['No'], reason: '', effect: 'do_not', confirmed: true },
      );
    });

    it('the second step restates the question and the answer, and its button says it', async () => {
      await act('decide').click();
      await form.page.locator('.second-step', { hasText: 'DROP TABLE sessions_old' }).waitFor();
      assert.equal((await act('confirm').innerText()).trim(), 'Answer “Yes”');
    });

    it('a double click makes only the first step', async () => {
      await act('decide').dblclick();
      await form.page.waitForTimeout(500);
      assert.deepEqual(await form.posted(), []);
    });

    it('four quick clicks in the same place neither', async () => {
      const box = (await act('decide').boundingBox())!;
      await form.page.mouse.click(box.x + 30, box.y + 10, { clickCount: 4, delay: 10 });
      await form.page.waitForTimeout(500);
      assert.deepEqual(await form.posted(), []);
    });

    it('the late half of a slow double click is not a second thought', async () => {
      await act('decide').click();
      await settled();
      const box = (await act('confirm').boundingBox())!;
      await form.page.mouse.move(box.x + 30, box.y + 10);
      await form.page.mouse.down({ clickCount: 2 });
      await form.page.mouse.up({ clickCount: 2 });
      assert.deepEqual(await form.posted(), []);
    });

    it('Ctrl+Enter held or pressed again makes only the first step; the button has not the focus', async () => {
      await text().focus();
      for (let presses = 0; presses < 3; presses++) await form.page.keyboard.press('Control+Enter');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      await form.page.keyboard.press('Enter');
      assert.deepEqual(await form.posted(), []);
      assert.equal(await form.page.evaluate(() => document.activeElement?.matches('.second-step')), true);
      // One Tab, and it is a decision of one's own.
      await form.page.keyboard.press('Tab');
      await form.page.keyboard.press('Enter');
      assert.equal((await onlyAnswer()).confirmed, true);
    });
    it('Escape and Back go back to the draft', async () => {
      for (const back of [() => form.page.keyboard.press('Escape'), () => act('back').click()]) {
        await act('decide').click();
        await act('confirm').waitFor();
        await back();
        await act('decide').waitFor();
        assert.deepEqual(await checked(), ['0']);
        await settled();
      }
      assert.deepEqual(await form.posted(), []);
    });

    it('an approval that is let go says that this approves nothing', async () => {
      const said = form.page.getByText('It approves nothing');
      for (const [view, times] of [
        [approval(), 1],
        [plain({ key: 'w1/Q-21', shown: 's' }), 0],
      ] as const) {
        await form.send(snapshot(view));
        await openWays(form.page);
        await act('release').click();
        await text().waitFor();
        assert.equal(await said.count(), times);
      }
    });

    it('letting go takes two steps too', async () => {
      await openWays(form.page);
      await act('release').click();
      await text().fill('Go on.');
      await settled();
      await act('decide').click();
      await settled();
      await act('confirm').click();
      const message = await onlyMessage();
      assert.equal(message.type === 'release' && message.confirmed && message.text, 'Go on.');
    });
  });

  it('a changed question drops the second step', async () => {
    await form.send(snapshot(approval()));
    await form.page.keyboard.press('1');
    await act('decide').click();
    await act('confirm').waitFor();
    await form.send(snapshot(approval({ shown: 'sha256-changed', text: 'May I drop everything?' })));
    assert.equal(await act('confirm').count(), 0);
    await form.page.getByText('This question has changed since you started').waitFor();
    assert.deepEqual(await form.posted(), []);
  });

  it('a click begun on one question does not land on another', async () => {
    await stopTheClock(form);
    await post(form, snapshot(plain()));
    await text().fill('UTC');
    await post(form, snapshot(plain({ key: 'w1/Q-20', shown: 'sha256-q20', id: 'Q-20' })));
    await form.page.getByText('Q-20', { exact: true }).waitFor();
    await text().fill('Yes');
    await form.page.clock.runFor(1_000);
    await post(form, snapshot(plain()));
    await form.page.getByText('Q-12', { exact: true }).waitFor();
    // At once, as somebody who was already on the button.
    await act('decide').click();
    assert.deepEqual(await form.posted(), []);
    await form.page.clock.runFor(1_000);
    await act('decide').click();
    assert.equal((await onlyAnswer()).text, 'UTC');
  });

  it('a double click posts once, and so do five key presses', async () => {
    await form.send(snapshot(plain()));
    await text().fill('UTC');
    await act('decide').dblclick();
    await onlyAnswer();
    await form.reload();
    await form.send(snapshot(plain()));
    await text().fill('UTC again');
    for (let presses = 0; presses < 5; presses++) await form.page.keyboard.press('Control+Enter');
    await onlyAnswer();
  });

  it('busy until the host has spoken: nothing can be changed or sent', async () => {
    await form.send(snapshot(plain()));
    const name = await sendAnswer('UTC');
    await form.page.getByText('Sending…', { exact: true }).last().waitFor();
    assert.equal(await text().isDisabled(), true);
    // Another snapshot, about something else, changes nothing of that.
    await form.send(snapshot(plain({ waiting: 2 })));
    await form.send(snapshot(plain(), { outcome: { type: 'done', act: 'of another' } }));
    assert.equal(await text().isDisabled(), true);
    await form.send(
      snapshot(plain(), { outcome: { type: 'refused', act: name, reason: 'failed', text: 'Disk full.' } }),
    );
    assert.equal(await text().isDisabled(), false);
    assert.equal(await text().inputValue(), 'UTC');
    await form.page.getByText('Disk full.').waitFor();
  });

  it('no word from the host: the very same act can be sent again', async () => {
    await stopTheClock(form);
    await post(form, snapshot(plain()));
    await text().fill('UTC');
    await form.page.clock.runFor(1_000);
    await act('decide').click();
    await form.page.clock.runFor(16_000);
    await act('again').click();
    const [first, second, ...more] = await form.posted();
    assert.deepEqual([first, more], [second, []]);
  });

  it('answered: says so, says whether the agent has it, and goes to the next', async () => {
    await form.send(snapshot(full()));
    const name = await sendAnswer('We run Redis from next week on anyway.');
    const done = states['answered']!();
    const waiting = structuredClone(done);
    if (waiting.view.type === 'question' && waiting.view.resolution.type === 'answered') {
      waiting.view.resolution.delivery = { type: 'waiting', agent: 'copilot-001' };
    }
    await form.send({ ...waiting, outcome: { type: 'done', act: name } });
    await form.page.getByText('You answered just now').waitFor();
    await form.page.getByText('Waiting for copilot-001 to pick it up').waitFor();
    assert.equal(await form.page.getByText('not sent').count(), 0);
    await form.send(done);
    await form.page.getByText('copilot-001 got it 1 s later and continues.').waitFor();
    // Next has the keyboard: it decides nothing.
    await form.page.keyboard.press('Enter');
    assert.deepEqual((await form.posted()).at(-1), { type: 'select', key: 'w1/Q-13' });
  });

  it('somebody else was first: their answer, and my draft with a Copy button', async () => {
    await form.send(snapshot(full()));
    await text().fill('My own reasons.');
    await form.send(states['somebodyElse']!());
    await form.page.getByText('Grace Hopper answered 1 min ago').waitFor();
    await form.page.getByText('My own reasons.').waitFor();
    assert.equal(await act('decide').count(), 0);
    await act('copy-draft').click();
    assert.deepEqual(await form.posted(), [{ type: 'copyText', text: 'My own reasons.' }]);
    await form.reload();
    await form.send(states['somebodyElse']!());
    await act('discard-draft').click();
    assert.equal(await form.page.getByText('My own reasons.').count(), 0);
  });

  it('expired: says what happened; what it holds is still answered', async () => {
    await form.send(states['expired']!());
    await form.page.getByText('Failed because nobody answered: API tokens.').waitFor();
    await readAll(form.page);
    await text().fill('Take the smaller one.');
    await act('decide').click();
    assert.equal((await onlyAnswer()).text, 'Take the smaller one.');
  });

  it('expired: what it holds is still released, behind “More ways”', async () => {
    await form.send(states['expired']!());
    await readAll(form.page);
    await openWays(form.page);
    await act('release').click();
    await text().fill('Take the smaller one.');
    await act('decide').click();
    const message = await onlyMessage();
    assert.equal(message.type === 'release' && message.text, 'Take the smaller one.');
  });

  it('read only, answered, nothing: nothing to decide with, by keys neither', async () => {
    for (const state of ['locked', 'answered', 'nothing']) {
      await form.send(states[state]!());
      assert.equal(await act('decide').count(), 0);
      await form.page.keyboard.press('1');
      await form.page.keyboard.press('Control+Enter');
      assert.deepEqual(await checked(), []);
      assert.deepEqual(await form.posted(), []);
    }
  });

  for (const panel of ['release', 'cancel'] as const) {
    it(`${panel}: asks for words in place, and sends them`, async () => {
      await form.send(snapshot(full()));
      await openWays(form.page);
      await act(panel).click();
      assert.equal(await focused(), 'text');
      await act('decide').click();
      assert.deepEqual(await form.posted(), []);
      await text().fill('Because.');
      await act('decide').click();
      const message = (await onlyMessage()) as unknown as Record<string, unknown>;
      assert.deepEqual([message['type'], message['text'], message['confirmed']], [panel, 'Because.', false]);
    });
  }

  describe('an answer that was given again', () => {
    it('says to whom, and is revoked with a reason', async () => {
      const sent = snapshot(givenAgain());
      await form.send(sent);
      await form.page.getByText('Reused by claude-002 4 min ago and 2 more times').waitFor();
      await act('revoke').click();
      assert.equal(await focused(), 'text');
      await act('decide').click();
      assert.deepEqual(await form.posted(), []);
      await text().fill('  It depends on the service.  ');
      await act('decide').click();
      const message = await onlyMessage();
      assert.ok(message.type === 'revoke', message.type);
      const { act: name, ...rest } = message;
      assert.match(name, /^[0-9a-f-]{36}$/);
      assert.deepEqual(rest, {
        type: 'revoke',
        key: 'w1/Q-12',
        shown: 'sha256-q12',
        render: 'render' in sent.view && sent.view.render,
        text: 'It depends on the service.',
        confirmed: false,
      });
    });

    it('Escape leaves the reason, and keeps what was written', async () => {
      await form.send(snapshot(givenAgain()));
      await act('revoke').click();
      await text().fill('half a reason');
      await form.page.keyboard.press('Escape');
      assert.equal(await text().count(), 0);
      await act('revoke').click();
      assert.equal(await text().inputValue(), 'half a reason');
    });

    it('revoked: says by whom and why, and offers nothing more', async () => {
      await form.send(snapshot(revoked()));
      await form.page.getByText('Grace Hopper stopped reusing it 2 min ago').waitFor();
      await form.page.getByText('The gateway now wants stateless tokens').waitFor();
      assert.equal(await act('revoke').count(), 0);
    });

    it('what would not be given again has nothing to revoke', async () => {
      await form.send(states['answeredWaiting']!());
      assert.equal(await act('revoke').count(), 0);
      await form.send(snapshot({ ...givenAgain(), locked: 'This workspace is not trusted.' }));
      assert.equal(await act('revoke').count(), 0);
    });
  });

  describe('drafts', () => {
    it('survive selection changes, each with its question', async () => {
      const other = snapshot(plain({ key: 'w1/Q-20', shown: 'sha256-q20', id: 'Q-20' }));
      await form.send(snapshot(full()));
      await form.page.keyboard.press('2');
      await text().fill('mine for 12');
      await form.send(other);
      assert.equal(await text().inputValue(), '');
      await text().fill('mine for 20');
      await form.send(snapshot(full()));
      assert.equal(await text().inputValue(), 'mine for 12');
      assert.deepEqual(await checked(), ['1']);
      await form.send(other);
      assert.equal(await text().inputValue(), 'mine for 20');
    });

    it('survive reloads, panel and unfolded parts included', async () => {
      await form.send(snapshot(full()));
      await form.page.getByText('Already considered').click();
      await openWays(form.page);
      await act('release').click();
      await text().fill('half a note');
      await form.reload();
      await form.send(snapshot(full()));
      assert.equal(await text().inputValue(), 'half a note');
      await form.page.getByRole('heading', { name: 'Dismiss without answering' }).waitFor();
      await form.page.getByText('would need the database').waitFor();
    });

    it('survive new snapshots while one types, caret included', async () => {
      await form.send(snapshot(plain()));
      await text().click();
      await form.page.keyboard.type('ab');
      await form.page.keyboard.press('ArrowLeft');
      const again = snapshot(plain({ waiting: 2 }));
      await form.send(again);
      await form.page.keyboard.type('X');
      assert.equal(await text().inputValue(), 'aXb');
      await act('decide').click();
      assert.equal((await onlyAnswer()).render, 'render' in again.view && again.view.render);
    });

    it('go with the choice that was removed, and where the same was answered elsewhere', async () => {
      await form.send(snapshot(full()));
      await form.page.keyboard.press('1');
      await form.send(snapshot(full({ shown: 'changed', choices: [{ label: 'Other', recommended: false }] })));
      await act('decide').click();
      await form.page.getByText('Choose one, or write an answer.').waitFor();
      assert.deepEqual(await form.posted(), []);
      await form.send(snapshot(plain()));
      await text().fill('UTC, always. ');
      await form.send(states['answeredWaiting']!());
      assert.equal(await act('copy-draft').count(), 0);
    });

    it('whatever an older version has left does no harm', async () => {
      for (const state of [
        null,
        7,
        'x',
        { version: 1 },
        { version: 1, forms: { 'w1/Q-12': 5 }, unfolded: {}, name: '' },
        { forms: { 'w1/Q-12': { fields: { panel: 'x', effect: 'y', 'choice z': 'yes' }, shown: 's' } } },
      ]) {
        const old = await form.another({ state });
        await old.send(snapshot(plain()));
        await old.page.locator('#text').fill('fine');
        await old.close();
      }
    });
  });

  it('says to screen readers what arrives and what was done', async () => {
    await form.send(snapshot(plain()));
    await form.send(snapshot(plain({ waiting: 2 })));
    const status = form.page.locator('.page > [role=status]');
    assert.equal(await status.textContent(), '2 items are waiting for you.');
    const name = await sendAnswer('UTC');
    await form.send({ ...states['answeredWaiting']!(), outcome: { type: 'done', act: name, text: 'Answered.' } });
    assert.equal(await status.textContent(), 'Answered.');
  });

  it('relative times go on by themselves', async () => {
    await stopTheClock(form);
    await post(form, snapshot(plain()));
    // The host's clock counts, not the browser's.
    await form.page.getByText('waiting 2 min').waitFor();
    await form.page.clock.fastForward(3 * 60_000 + 5_000);
    await form.page.getByText('waiting 5 min').waitFor();
    const title = await form.page.locator('.facts time').getAttribute('title');
    assert.match(title ?? '', /^Friday,? 20 November 2026 at 14:00:00 /);
  });

  describe('what decides nothing', () => {
    it('opens files at their line; a missing file is not a link', async () => {
      await form.send(snapshot(full()));
      await form.page.locator('summary', { hasText: 'Files (4)' }).click();
      await form.page.getByRole('button', { name: 'Open src/auth/login.ts:48 to the side' }).click();
      assert.deepEqual(await form.posted(), [
        { type: 'openFile', key: 'w1/Q-12', path: 'src/auth/login.ts', line: 48 },
      ]);
      assert.equal(await form.page.getByRole('button', { name: 'jwt.ts' }).count(), 0);
    });

    it('asks for the same form in a tab; in the tab it does not', async () => {
      await form.send(snapshot(full()));
      await act('open-tab').click();
      assert.deepEqual(await form.posted(), [{ type: 'openTab', key: 'w1/Q-12' }]);
      await form.send(snapshot(full(), { tab: true }));
      assert.equal(await act('open-tab').count(), 0);
      await form.page.getByText('Rate limits per token').waitFor();
    });

    it('copies the link, and says so', async () => {
      await form.send(snapshot(full()));
      await act('copy-link').click();
      await form.page.getByRole('button', { name: 'copied' }).waitFor();
      assert.deepEqual(await form.posted(), [{ type: 'copyLink', key: 'w1/Q-12' }]);
    });

    it('ignored records are one line below the form, which leads to the audit', async () => {
      await form.send(snapshot(full(), { ignored: 40 }));
      const line = form.page.locator('.ignored');
      assert.match(await line.innerText(), /^40 records were ignored: no key that is trusted here signed them\./);
      const places = await form.page.evaluate(() =>
        ['.foot', '.ignored'].map((one) => document.querySelector(one)!.getBoundingClientRect().top),
      );
      assert.ok(places[0]! < places[1]!);
      await act('open-audit').click();
      assert.deepEqual(await form.posted(), [{ type: 'openAudit' }]);
    });

    it('no folder: one harmless button', async () => {
      await form.send(states['noFolder']!());
      await act('openFolder').click();
      assert.deepEqual(await form.posted(), [{ type: 'do', action: 'openFolder' }]);
    });
  });

  describe('a damaged store', () => {
    beforeEach(() => form.send(snapshot(recoveryView)));

    it('restoring wants its tick first', async () => {
      await act('choose-restore').click();
      await settled();
      await act('recover').click();
      await form.page.getByText('Select the checkbox first').waitFor();
      assert.deepEqual(await form.posted(), []);
      await form.page.getByText('Put the copy of 13:53 in place').click();
      await act('recover').click();
      const message = await onlyMessage();
      assert.equal(
        message.type === 'recover' && `${message.way}: ${message.confirmation}`,
        'restore: Put the copy of 13:53 in place of the journal',
      );
    });

    it('starting over requires its word', async () => {
      await act('choose-startAnew').click();
      await settled();
      await form.page.getByRole('textbox', { name: 'Type “shop”' }).fill('Shop');
      await act('recover').click();
      assert.deepEqual(await form.posted(), []);
      await form.page.getByRole('textbox', { name: 'Type “shop”' }).fill('shop');
      await act('recover').click();
      const message = await onlyMessage();
      assert.equal(message.type === 'recover' && `${message.way}: ${message.confirmation}`, 'startAnew: shop');
    });

    it('a way that is closed says why, and has no button', async () => {
      await form.page.getByText('There is no damaged line').waitFor();
      assert.equal(await act('choose-setAside').count(), 0);
    });

    it('Back forgets what was ticked', async () => {
      await act('choose-restore').click();
      await form.page.getByText('Put the copy of 13:53 in place').click();
      await act('back').click();
      await act('choose-restore').click();
      await settled();
      await act('recover').click();
      assert.deepEqual(await form.posted(), []);
    });
  });

  it('a first key for this editor: one click, with the name', async () => {
    await form.send(states['enrol']!());
    await act('decide').click();
    const message = await onlyMessage();
    assert.equal(message.type === 'enrol' && message.name, 'ada');
  });

  async function settled(): Promise<void> {
    await form.page.waitForFunction(() => document.querySelector('main')?.dataset['ready'] === 'true');
  }

  function focused(): Promise<string | undefined> {
    return form.page.evaluate(() => document.activeElement?.id);
  }

  function checked(): Promise<string[]> {
    return form.page
      .locator('input[name=choice]:checked')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  }
});
