/** The forms about more than one question: the policy, and letting all of one agent go on. */
import assert from 'node:assert/strict';
import type { QuestionMessage } from '../../../src/ui/answer/messages.ts';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface, type Form } from '../harness.ts';
import { full, life, policyView, releaseAllView, snapshot, workView } from './samples.ts';
import { settle } from '../settled.ts';

describe('the forms about more than one question', function () {
  this.timeout(30_000);
  let form: Form;
  openForEach(questionSurface, (opened) => {
    form = opened;
  });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const hours = () => form.page.locator('#wait-critical');
  const focused = () =>
    form.page.evaluate(() => document.activeElement?.id ?? document.activeElement?.getAttribute('data-act') ?? '');

  const only = <T extends QuestionMessage['type']>(type: T) => onlyPosted(form, type);

  /** The second step can be taken: what was just put under the pointer has settled. */
  const settled = () => settle(form.page);

  it('in the tab of the settings: sections lead to each other, and there is no way back', async () => {
    const sections = [
      { name: 'policy', key: 'w1/policy', current: true },
      { name: 'keys', key: 'w1/keys', current: false },
    ] as const;
    await form.send(snapshot(policyView(), { tab: true, sections: [...sections] }));
    assert.equal(await form.page.locator('[data-act=leave]').count(), 0);
    assert.equal(await form.page.locator('.sections [aria-current=page]').innerText(), 'Policy');
    await form.page.locator('[data-act=section-keys]').click();
    assert.deepEqual(await form.posted(), [{ type: 'select', key: 'w1/keys' }]);
  });

  describe('policy', () => {
    it('says who gets what is late, or that somebody has to be chosen', async () => {
      await form.send(snapshot(policyView()));
      await settled();
      await form.page.getByText('It is reassigned').click();
      await act('decide').click();
      assert.equal(await form.page.locator('.hint').innerText(), 'Choose a new assignee.');
      await form.page.locator('#reassign').selectOption('jane@shop');
      await act('decide').click();
      assert.match(await form.page.locator('.second-step').innerText(), /It is reassigned \(jane@shop\)/);
      await settled();
      await act('confirm').click();
      const { overdue, reassignTo } = await only('policy');
      assert.deepEqual({ overdue, reassignTo }, { overdue: 'reassign', reassignTo: 'jane@shop' });
    });

    it('takes tools of servers that only read, each once, and shows what becomes of them', async () => {
      await form.send(snapshot(policyView({ readOnlyTools: ['docs/search'] })));
      const tools = form.page.locator('#tools');
      assert.equal(await tools.inputValue(), 'docs/search');
      await tools.fill('docs/search\n files/list_dir,docs/read:page \n\nfiles/list_dir');
      await act('decide').click();
      const step = await form.page.locator('.second-step').innerText();
      assert.match(step, /docs\/search, files\/list_dir, docs\/read:page\s+\(was: docs\/search\)/);
      assert.doesNotMatch(step, /A question waits/);
      await settled();
      await act('confirm').click();
      const { readOnlyTools, lifeHours } = await only('policy');
      assert.deepEqual([readOnlyTools, lifeHours], [['docs/search', 'files/list_dir', 'docs/read:page'], life(24)]);
    });

    it('says who sees a submitted RFC first, and when notes leave the briefing', async () => {
      await form.send(snapshot(policyView({ ageDays: 30 })));
      await settled();
      assert.equal(await form.page.locator('#days').inputValue(), '30');
      await form.page.locator('#days').fill('3651');
      await act('decide').click();
      assert.match(await form.page.locator('#hint-days').innerText(), /a whole number of days up to 3,650/);
      await form.page.locator('#days').fill('');
      await form.page.getByText('A language model reviews it first').click();
      await act('decide').click();
      const step = await form.page.locator('.second-step').innerText();
      assert.match(step, /A language model reviews it first\s+\(was: You are notified immediately\)/);
      assert.match(step, /never\s+\(was: 30 days\)/);
      await settled();
      await act('confirm').click();
      const { reviewOnSubmit, ageDays, readOnlyTools } = await only('policy');
      assert.deepEqual([reviewOnSubmit, ageDays, readOnlyTools], [true, 0, []]);
    });

    it('says how long agents go on without the server, in a shared workspace only', async () => {
      await form.send(snapshot(policyView()));
      await settled();
      assert.equal(await form.page.locator('#lease').count(), 0);
      await form.send(snapshot(policyView({ lease: { seconds: 60, strictGlobs: [] }, render: 'render-2' })));
      await settled();
      const [seconds, globs] = [form.page.locator('#lease'), form.page.locator('#globs')];
      assert.equal(await seconds.inputValue(), '60');
      for (const wrong of ['3601', '0.5', '-1', 'long']) {
        await seconds.fill(wrong);
        await act('decide').click();
        assert.match(await form.page.locator('#hint-lease').innerText(), /a whole number of seconds up to 3,600/);
      }
      await seconds.fill('0');
      await globs.fill('a'.repeat(301));
      await act('decide').click();
      assert.match(await form.page.locator('#hint-globs').innerText(), /longer than 300/);
      await globs.fill('payments/**\n\n payments/**\nsrc/auth ');
      await form.page.locator('#after').selectOption('allow');
      await act('decide').click();
      const step = await form.page.locator('.second-step').innerText();
      assert.match(step, /not at all\s+\(was: 60 s\)/);
      assert.match(step, /continue with work that is not held\s+\(was: Agents change nothing/);
      assert.match(step, /payments\/\*\*, src\/auth\s+\(was: none\)/);
      await settled();
      await act('confirm').click();
      assert.deepEqual((await only('policy')).lease, {
        ...{ seconds: 0, after: 'allow' },
        strictGlobs: ['payments/**', 'src/auth'],
      });
    });

    it('says which assumptions are ticked in advance', async () => {
      await form.send(snapshot(policyView()));
      await settled();
      await form.page.locator('#ticked').selectOption('low');
      await act('decide').click();
      const step = await form.page.locator('.second-step').innerText();
      assert.match(step, /those of low urgency\s+\(was: all but critical ones\)/);
      await settled();
      await act('confirm').click();
      assert.equal((await only('policy')).tickedUpTo, 'low');
    });

    it('sets how often it reminds of a question of each urgency', async () => {
      await form.send(snapshot(policyView()));
      await settled();
      const field = (urgency: string) => form.page.locator(`#remind-${urgency}`);
      const written = () => Promise.all(['critical', 'high', 'medium', 'low'].map((one) => field(one).inputValue()));
      assert.deepEqual(await written(), ['5', '30', '', '']);
      await field('critical').fill('');
      await field('medium').fill('1440');
      await field('low').fill('0');
      await act('decide').click();
      const step = await form.page.locator('.second-step').innerText();
      assert.match(
        step,
        /critical: never, high: 30 min, medium: 1,440 min, low: never\s+\(was: critical: 5 min, high: 30 min,/,
      );
      await settled();
      await act('confirm').click();
      const { reminders, ageDays } = await only('policy');
      assert.deepEqual([reminders, ageDays], [{ critical: 0, high: 30, medium: 1_440, low: 0 }, 0]);
    });

    it('sets which questions notify at once, in a digest or only in the list', async () => {
      await form.send(snapshot(policyView()));
      await settled();
      const field = (name: string) => form.page.locator(`#${name}`);
      await field('how-low').selectOption('silent');
      await field('how-medium').selectOption('digest');
      for (const [name, wrong, hint] of [
        ['digest', '0', /from 1 to 1,440/],
        ['perHour', '1001', /up to 1,000/],
      ] as const) {
        const before = await field(name).inputValue();
        await field(name).fill(wrong);
        await act('decide').click();
        assert.match(await form.page.locator(`#hint-${name}`).innerText(), hint);
        await field(name).fill(before);
      }
      await field('digest').fill('15');
      await field('perHour').fill('6');
      await field('agents').fill('build-bot: silent\n\n copilot-001 critical: digest');
      await act('decide').click();
      const step = await form.page.locator('.second-step').innerText();
      assert.match(
        step,
        /critical: immediately, high: immediately, medium: in a digest, low: only in the list\s+\(was:/,
      );
      assert.match(step, /15 min\s+\(was: 30 min\)/);
      assert.match(step, /6\s+\(was: no limit\)/);
      assert.match(step, /build-bot: silent; copilot-001 critical: digest\s+\(was: none\)/);
      await settled();
      await act('confirm').click();
      assert.deepEqual((await only('policy')).interruptions, {
        urgencies: { critical: 'now', high: 'now', medium: 'digest', low: 'silent' },
        ...{ digestMinutes: 15, perHour: 6, agents: ['build-bot: silent', 'copilot-001 critical: digest'] },
      });
    });

    it('sets how long a decision can be taken back; empty sends at once', async () => {
      await form.send(snapshot(policyView()));
      await settled();
      const undo = form.page.locator('#undo');
      assert.equal(await undo.inputValue(), '5');
      for (const wrong of ['61', '0.5', '-1', 'a bit']) {
        await undo.fill(wrong);
        await act('decide').click();
        assert.match(await form.page.locator('#hint-undo').innerText(), /whole number of seconds up to 60/);
      }
      assert.deepEqual(await form.posted(), []);
      await undo.fill('');
      await act('decide').click();
      assert.match(await form.page.locator('.second-step').innerText(), /never\s+\(was: 5 s\)/);
      await settled();
      await act('confirm').click();
      const { undoSeconds, reminders } = await only('policy');
      assert.deepEqual([undoSeconds, reminders.high], [0, 30]);
    });

    it('0 for a reminder that is never sent already: nothing has changed', async () => {
      await form.send(snapshot(policyView()));
      await form.page.locator('#remind-low').fill('0');
      await act('decide').click();
      assert.match(await form.page.locator('#hint-confirm').innerText(), /Nothing has changed/);
      assert.deepEqual(await form.posted(), []);
    });

    for (const wrong of ['1441', '1.5', '-2', 'once']) {
      it(`${wrong} for the minutes of a reminder: says so, sends nothing`, async () => {
        await form.send(snapshot(policyView()));
        await form.page.locator('#remind-high').fill(wrong);
        await act('decide').click();
        assert.match(await form.page.locator('#hint-remind-high').innerText(), /whole number of minutes up to 1,440/);
        assert.equal(await focused(), 'remind-high');
        assert.deepEqual(await form.posted(), []);
      });
    }

    it('none of them: says that there are none', async () => {
      await form.send(snapshot(policyView({ readOnlyTools: ['docs/search'] })));
      await form.page.locator('#tools').fill(' ');
      await act('decide').click();
      assert.match(await form.page.locator('.second-step').innerText(), /none\s+\(was: docs\/search\)/);
    });

    for (const wrong of [
      'search',
      'docs/',
      '/search',
      'docs/a/b',
      'docs/*',
      'dócs/search',
      `docs/${'x'.repeat(101)}`,
    ]) {
      it(`${wrong.slice(0, 12)} for a tool: says how one is written, sends nothing`, async () => {
        await form.send(snapshot(policyView()));
        await form.page.locator('#tools').fill(`docs/search\n${wrong}`);
        await act('decide').click();
        const hint = await form.page.locator('#hint-tools').innerText();
        assert.ok(hint.includes(`“${wrong}” is not a tool`) && hint.includes('server/tool'), hint);
        assert.equal(await focused(), 'tools');
        assert.deepEqual(await form.posted(), []);
      });
    }

    it('too many tools: says how many there may be', async () => {
      await form.send(snapshot(policyView()));
      await form.page
        .locator('#tools')
        .fill(Array.from({ length: 101 }, (_, n) => `docs/tool-${String(n)}`).join('\n'));
      await act('decide').click();
      assert.match(await form.page.locator('#hint-tools').innerText(), /101 tools; the limit is 100/);
      assert.deepEqual(await form.posted(), []);
    });

    it('is changed in two steps, tied to what was shown', async () => {
      const sent = snapshot(policyView());
      await form.send(sent);
      await hours().fill('72');
      await form.page.getByText('It becomes critical').click();
      await form.page.locator('[data-focus="name"] input').fill('Grace Hopper');
      await act('decide').click();
      assert.deepEqual(await form.posted(), []);
      const step = await form.page.locator('.second-step').innerText();
      for (const words of [
        'critical: 72 h, high: 24 h',
        '(was: critical: 24 h',
        'It becomes critical',
        'Grace Hopper',
        '(was: Ada Lovelace)',
      ])
        assert.ok(step.includes(words), step);
      await settled();
      await act('confirm').click();
      const { act: name, ...rest } = await only('policy');
      assert.match(name, /^[0-9a-f-]{36}$/);
      assert.deepEqual(rest, {
        type: 'policy',
        key: 'w1/policy',
        shown: 'sha256-policy',
        render: 'render' in sent.view && sent.view.render,
        name: 'Grace Hopper',
        lifeHours: life(72),
        onExpiry: 'escalate',
        overdue: 'alert',
        readOnlyTools: [],
        reviewOnSubmit: false,
        ageDays: 0,
        reminders: { critical: 5, high: 30, medium: 0, low: 0 },
        parking: { critical: 4, high: 4, medium: 4, low: 4 },
        interruptions: policyView().interruptions,
        resuming: [],
        undoSeconds: 5,
        tickedUpTo: 'high',
        rules: [],
        confirmed: true,
      });
    });

    it('by keyboard only; the second step has the keys, its button has not', async () => {
      await form.send(snapshot(policyView(), { focus: 'opened' }));
      assert.equal(await focused(), 'wait-critical');
      const { keyboard } = form.page;
      await keyboard.press('Control+a');
      await keyboard.type('48');
      for (const _ of ['high', 'medium', 'low', 'the end']) await keyboard.press('Tab');
      await keyboard.press('ArrowDown');
      await keyboard.press('Control+Enter');
      await settled();
      await keyboard.press('Control+Enter');
      await keyboard.press('Enter');
      assert.deepEqual(await form.posted(), []);
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      const { lifeHours, onExpiry } = await only('policy');
      assert.deepEqual({ lifeHours, onExpiry }, { lifeHours: life(48), onExpiry: 'escalate' });
    });

    for (const wrong of ['', '0', '8761', '1.5', '-2', '1e3', 'two']) {
      it(`${JSON.stringify(wrong)} hours: says so, sends nothing`, async () => {
        await form.send(snapshot(policyView()));
        await hours().fill(wrong);
        await act('decide').click();
        assert.match(await form.page.locator('#hint-wait-critical').innerText(), /from 1 to 8,760/);
        assert.equal(await focused(), 'wait-critical');
        assert.deepEqual(await form.posted(), []);
      });
    }

    it('nothing changed: says so; no name: says so', async () => {
      await form.send(snapshot(policyView()));
      await act('decide').click();
      assert.match(await form.page.locator('#hint-confirm').innerText(), /Nothing has changed/);
      await form.page.locator('[data-focus="name"] input').fill(' ');
      await act('decide').click();
      assert.match(await form.page.locator('#hint-name').innerText(), /Enter your name/);
      assert.deepEqual(await form.posted(), []);
    });

    it('saved: says so, shows what is in force, and can be changed again', async () => {
      await form.send(snapshot(policyView()));
      await hours().fill('72');
      await act('decide').click();
      await settled();
      await act('confirm').dblclick();
      const { act: name } = await only('policy');
      const outcome = { type: 'done', act: name, text: 'Saved. It is in force.' } as const;
      await form.send(snapshot(policyView({ lifeHours: life(72), shown: 'after' }), { outcome }));
      assert.equal(await form.page.locator('[data-focus=result]').innerText(), 'Saved. It is in force.');
      assert.equal(await hours().inputValue(), '72');
      await hours().fill('80');
      assert.equal(await form.page.locator('[data-focus=result]').count(), 0);
    });

    it('changed elsewhere: back to the first step, where what was typed stays beside what others changed', async () => {
      await form.send(snapshot(policyView()));
      await hours().fill('72');
      await act('decide').click();
      await form.send(snapshot(policyView({ lifeHours: life(5), undoSeconds: 9, shown: 'other' })));
      assert.equal(await form.page.locator('.second-step').count(), 0);
      assert.match(await form.page.locator('.notice-info').innerText(), /The policy has changed since you started/);
      assert.deepEqual([await hours().inputValue(), await form.page.locator('#undo').inputValue()], ['72', '9']);
      await act('decide').click();
      const step = await form.page.locator('.second-step').innerText();
      assert.match(step, /critical: 72 h, .*\(was: critical: 5 h/);
      assert.doesNotMatch(step, /9 s/);
      await settled();
      await act('confirm').click();
      const { shown, lifeHours, undoSeconds } = await only('policy');
      assert.deepEqual({ shown, lifeHours, undoSeconds }, { shown: 'other', lifeHours: life(72), undoSeconds: 9 });
    });

    it('read only: nothing to decide with, by keys neither', async () => {
      await form.send(snapshot(policyView({ locked: 'This folder is not trusted.' })));
      assert.equal(await act('decide').count(), 0);
      assert.equal(await hours().isDisabled(), true);
      await form.page.keyboard.press('Control+Enter');
      assert.deepEqual(await form.posted(), []);
    });

    it('Back leaves without a word', async () => {
      await form.send(snapshot(policyView()));
      await hours().fill('72');
      await act('leave').click();
      await only('back');
    });
  });

  describe('let all of an agent go on', () => {
    it('lists what it lets go, wants a note, and takes two steps', async () => {
      const sent = snapshot(releaseAllView());
      await form.send(sent);
      const listed = await form.page.locator('.all-list > li').allInnerTexts();
      assert.deepEqual(
        listed.map((text) => /Q-\d+/.exec(text)?.[0]),
        ['Q-12', 'Q-13', 'Q-14'],
      );
      assert.match(listed[0] ?? '', /high · holds 3 work items$/);
      assert.match(listed[1] ?? '', /critical · holds 1 work item · expired, still held$/);
      assert.match(listed[2] ?? '', /holds nothing$/);
      await act('decide').click();
      assert.match(await form.page.locator('#hint-text').innerText(), /Write a note first/);
      await form.page.locator('#text').fill('  Use your judgement. ');
      await act('decide').click();
      assert.match(await form.page.locator('.second-step').innerText(), /Dismiss 3 questions without an answer\?/);
      assert.deepEqual(await form.posted(), []);
      await settled();
      await act('confirm').click();
      const { act: _, ...rest } = await only('releaseAll');
      assert.deepEqual(rest, {
        type: 'releaseAll',
        key: 'w1/agent/copilot-001',
        shown: 'sha256-all',
        render: 'render' in sent.view && sent.view.render,
        note: 'Use your judgement.',
        confirmed: true,
      });
    });

    it('one more question meanwhile: the note stays, the list is read again', async () => {
      await form.send(snapshot(releaseAllView()));
      await form.page.locator('#text').fill('Use your judgement.');
      await act('decide').click();
      await settled();
      const [first] = releaseAllView().questions;
      const questions = [...releaseAllView().questions, { ...first!, key: 'w1/Q-15', id: 'Q-15' }];
      await form.send(snapshot(releaseAllView({ questions, shown: 'four' })));
      assert.equal(await form.page.locator('.second-step').count(), 0);
      assert.equal(await form.page.locator('#text').inputValue(), 'Use your judgement.');
      assert.match(await form.page.locator('.notice-info').innerText(), /The list has changed/);
    });

    it('the note survives a look at one of the questions, and a reload', async () => {
      await form.send(snapshot(releaseAllView()));
      await form.page.locator('#text').fill('Use your judgement.');
      await form.page.getByRole('button', { name: 'JWT or server-side' }).click();
      assert.deepEqual(await only('select'), { type: 'select', key: 'w1/Q-12' });
      await form.send(snapshot(full()));
      await form.reload();
      await form.send(snapshot(releaseAllView()));
      assert.equal(await form.page.locator('#text').inputValue(), 'Use your judgement.');
    });

    it('at first use the name goes with it', async () => {
      await form.send(snapshot(releaseAllView({ answersAs: { name: 'ada', editable: true } })));
      await form.page.locator('#text').fill('Go on.');
      await act('decide').click();
      await settled();
      await act('confirm').click();
      assert.equal((await only('releaseAll')).name, 'ada');
    });
  });

  describe('a work item', () => {
    it('says what a deletion takes along, leaves open and ends, and deletes in two steps', async () => {
      const sent = snapshot(workView());
      await form.send(sent);
      const heads = await form.page.locator('.plain-head').allInnerTexts();
      assert.deepEqual(heads, [
        'In it, and deleted with it: 2 items',
        'Held by 2 questions and RFCs, which stay open',
        'Waiting for it: 1 item, which then no longer waits',
      ]);
      await act('decide').click();
      assert.match(await form.page.locator('.second-step').innerText(), /Delete this workflow and everything in it\?/);
      assert.deepEqual(await form.posted(), []);
      await settled();
      await act('confirm').click();
      const { act: _, ...rest } = await only('deleteWork');
      assert.deepEqual(rest, {
        type: 'deleteWork',
        key: 'w1/work/tokens',
        shown: 'sha256-work',
        render: 'render' in sent.view && sent.view.render,
        confirmed: true,
      });
    });

    it('that somebody else must decide about first cannot be deleted', async () => {
      await form.send(snapshot(workView({ locked: 'Q-12 takes several people. Decide that first.' })));
      assert.equal(await act('decide').count(), 0);
      assert.match(await form.page.locator('.notice-info').innerText(), /Q-12 takes several people/);
      await form.page.getByRole('button', { name: 'JWT or server-side' }).click();
      assert.deepEqual(await only('select'), { type: 'select', key: 'w1/Q-12' });
    });
  });

  it('nothing a script does decides', async () => {
    for (const view of [policyView(), releaseAllView(), workView()]) {
      await form.send(snapshot(view));
      if (view.type === 'policy') await hours().fill('72');
      else if (view.type === 'releaseAll') await form.page.locator('#text').fill('Go on.');
      await act('decide').click();
      await settled();
      await form.page.evaluate(() => {
        const target = document.querySelector<HTMLElement>('[data-act=confirm]')!;
        target.click();
        target.shadowRoot?.querySelector('button')?.click();
        for (const type of ['click', 'pointerdown', 'pointerup', 'mousedown', 'mouseup'])
          target.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, detail: 1 }));
        for (const key of ['Enter', ' '])
          target.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, composed: true }));
        document.querySelector('form')?.requestSubmit();
        document.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true }));
      });
      assert.deepEqual(await form.posted(), [], view.type);
    }
  });
});
