/** The forms about more than one question: the policy, and letting all of one agent go on. */
import assert from 'node:assert/strict';
import type { QuestionMessage } from '../../../src/ui/answer/messages.ts';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { defaultPolicy } from '../../../src/core/state/state.ts';
import { changedPolicy } from '../../../src/ui/answer/policy.ts';
import { openAdvanced } from '../../support/answerForm.ts';
import { full, life, policyView, releaseAllView, snapshot, workView } from './samples.ts';
import { settle } from '../settled.ts';

describe('the forms about more than one question', () => {
  const form = openForEach(questionSurface);

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
    assert.equal(await form.page.locator('.sections [aria-current=page]').innerText(), 'Rules');
    await form.page.locator('[data-act=section-keys]').click();
    assert.deepEqual(await form.posted(), [{ type: 'select', key: 'w1/keys' }]);
  });

  describe('policy', () => {
    const field = (name: string) => form.page.locator(`#${name}`);
    const step = () => form.page.locator('.second-step').innerText();
    /** The second step, and the change that is signed. */
    async function save() {
      await settled();
      await act('confirm').click();
      const { values } = await only('policy');
      return changedPolicy(defaultPolicy, values, { isShared: true, people: [], responsibilities: [] });
    }

    it('says who gets what is late, or that somebody has to be chosen', async () => {
      await form.send(snapshot(policyView()));
      await openAdvanced(form.page);
      await form.page.getByText('It is reassigned').click();
      await act('decide').click();
      assert.equal(await form.page.locator('.hint').innerText(), 'Choose a new assignee.');
      await field('reassign').selectOption('jane@shop');
      await act('decide').click();
      assert.match(await step(), /You are notified once\s+It is reassigned\s+New assignee\s+Jane \(jane@shop\)/);
      assert.deepEqual((await save())?.overdue, { action: 'reassign', reassignTo: 'jane@shop' });
    });

    it('takes tools of servers that only read as rows, each checked where it stands', async () => {
      await form.send(snapshot(policyView({}, { hooks: { readOnlyTools: ['docs/search'] } })));
      await openAdvanced(form.page);
      await act('add-tools').click();
      await form.page.locator('#tools-1-it:focus').waitFor();
      for (const wrong of ['search', 'docs/', 'docs/a/b', 'docs/*', `docs/${'x'.repeat(101)}`]) {
        await field('tools-1-it').fill(wrong);
        await act('decide').click();
        assert.match(await form.page.locator('#hint-tools-1-it').innerText(), /is not a tool. Use server\/tool/);
        assert.equal(await focused(), 'tools-1-it');
      }
      await field('tools-1-it').fill(' files/list_dir');
      await act('decide').click();
      assert.doesNotMatch(await step(), /docs\/search|A question waits/);
      assert.deepEqual((await save())?.hooks, { readOnlyTools: ['docs/search', 'files/list_dir'] });
    });

    it('shows that the last row goes', async () => {
      await form.send(snapshot(policyView({}, { hooks: { readOnlyTools: ['docs/search'] } })));
      await openAdvanced(form.page);
      await act('remove-tools').click();
      await form.page.locator('[data-act=add-tools]:focus').waitFor();
      await act('decide').click();
      assert.match(await step(), /docs\/search\s+none/);
    });

    it('finds a folded rule by its words, and unfolds one that is wrong', async () => {
      await form.send(snapshot(policyView()));
      await openAdvanced(form.page);
      await form.page.getByRole('searchbox').fill('notes hidden');
      assert.equal(await field('days').count(), 1);
      assert.equal(await field('perHour').count(), 0);
      await field('days').fill('3651');
      await form.page.getByRole('searchbox').fill('per hour');
      await form.page.locator('summary', { hasText: 'Advanced' }).click();
      await act('decide').click();
      assert.match(await form.page.locator('#hint-days').innerText(), /a whole number up to 3,650/);
      assert.equal(await focused(), 'days');
    });

    it('fills in a preset, which is saved like any other change', async () => {
      await form.send(snapshot(policyView()));
      const preset = (name: string) => form.page.getByRole('radio', { name });
      assert.equal(await preset('Standard').isChecked(), true);
      await preset('Strict').click();
      assert.equal(await preset('Strict').isChecked(), true);
      await act('decide').click();
      assert.match(await step(), /medium: never\s+medium: 60 min\s+low: never\s+low: 240 min/);
      assert.equal((await save())?.onExpiry, 'escalate');
    });

    it('has rules on the server of a team in a shared workspace only', async () => {
      await form.send(snapshot(policyView()));
      await openAdvanced(form.page);
      assert.equal(await field('lease').count(), 0);
      await form.send(snapshot(policyView({ render: 'render-2' }, {}, true)));
      await field('lease').fill('0');
      await field('after').selectOption('allow');
      await act('add-globs').click();
      await field('globs-0-it').fill('payments/**');
      await act('decide').click();
      assert.match(await step(), /900 s\s+not at all[^]*Agents continue with work[^]*none\s+payments\/\*\*/);
      assert.deepEqual((await save())?.lease, { seconds: 0, strictGlobs: ['payments/**'], after: 'allow' });
    });

    it('sets which questions notify at once or only in the list, and of which agents', async () => {
      await form.send(snapshot(policyView()));
      await openAdvanced(form.page);
      await field('how-low').selectOption('now');
      await field('perHour').fill('6');
      await act('add-agents').click();
      await act('decide').click();
      assert.match(await form.page.locator('#hint-agents-0-agent').innerText(), /Enter the ID of an agent/);
      await field('agents-0-agent').fill('build-bot');
      await form.page.locator('[data-focus=agents-0-urgencies-critical]').check();
      await field('agents-0-how').selectOption('silent');
      await act('decide').click();
      assert.match(await step(), /low: only in the list\s+low: immediately/);
      assert.match(
        await step(),
        /Agent or type of agent: build-bot · Questions: critical · Notify me: only in the list/,
      );
      const { urgencies, agents, perHour } = (await save())?.interruptions ?? {};
      assert.deepEqual([urgencies?.low, perHour], ['now', 6]);
      assert.deepEqual(agents, [{ agent: 'build-bot', urgencies: ['critical'], how: 'silent' }]);
    });

    it('0 for a reminder that is never sent already: nothing has changed', async () => {
      await form.send(snapshot(policyView()));
      await field('remind-low').fill('0');
      await act('decide').click();
      assert.match(await form.page.locator('#hint-confirm').innerText(), /Nothing has changed/);
      assert.deepEqual(await form.posted(), []);
    });

    for (const [name, hint, ...all] of [
      ['remind-high', /whole number up to 1,440/, '1441', '1.5', '-2', 'once'],
      ['undo', /whole number up to 60/, '61', '0.5', 'a bit'],
      ['wait-critical', /from 1 to 8,760/, '', '0', '8761', '1e3', 'two'],
    ] as const) {
      it(`${all.join(', ')} for ${name}: says what is wrong, and sends nothing`, async () => {
        await form.send(snapshot(policyView()));
        for (const wrong of all) {
          await field(name).fill(wrong);
          await act('decide').click();
          assert.match(await form.page.locator(`#hint-${name}`).innerText(), hint);
          assert.equal(await focused(), name);
        }
        assert.deepEqual(await form.posted(), []);
      });
    }

    it('is changed in two steps, tied to what was shown', async () => {
      const sent = snapshot(policyView());
      await form.send(sent);
      await hours().fill('72');
      await form.page.getByText('It becomes critical').click();
      await act('decide').click();
      assert.deepEqual(await form.posted(), []);
      assert.match(await step(), /critical: 24 h\s+critical: 72 h[^]*It becomes critical/);
      await settled();
      await act('confirm').click();
      const { act: name, ...rest } = await only('policy');
      assert.match(name, /^[0-9a-f-]{36}$/);
      assert.deepEqual(rest, {
        type: 'policy',
        key: 'w1/policy',
        shown: 'sha256-policy',
        render: 'render' in sent.view && sent.view.render,
        values: { ...policyView().values, 'wait-critical': '72', end: 'escalate' },
        confirmed: true,
      });
    });
    it('nothing changed: says so', async () => {
      await form.send(snapshot(policyView()));
      await act('decide').click();
      assert.match(await form.page.locator('#hint-confirm').innerText(), /Nothing has changed/);
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
      await form.send(snapshot(policyView({ shown: 'after' }, { questionLife: life(72) }), { outcome }));
      assert.equal(await form.page.locator('[data-focus=result]').innerText(), 'Saved. It is in force.');
      assert.equal(await hours().inputValue(), '72');
      await hours().fill('80');
      assert.equal(await form.page.locator('[data-focus=result]').count(), 0);
    });

    it('changed elsewhere: back to the first step, where what was typed stays beside what others changed', async () => {
      await form.send(snapshot(policyView()));
      await hours().fill('72');
      await act('decide').click();
      await form.send(snapshot(policyView({ shown: 'other' }, { questionLife: life(5), undo: { seconds: 9 } })));
      assert.equal(await form.page.locator('.second-step').count(), 0);
      assert.match(await form.page.locator('.notice-info').innerText(), /The policy has changed since you started/);
      assert.deepEqual([await hours().inputValue(), await form.page.locator('#undo').inputValue()], ['72', '9']);
      await act('decide').click();
      assert.match(await step(), /critical: 5 h\s+critical: 72 h/);
      assert.doesNotMatch(await step(), /9 s/);
      await settled();
      await act('confirm').click();
      const { shown, values } = await only('policy');
      assert.deepEqual([shown, values['wait-critical'], values['undo']], ['other', '72', '9']);
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
        'Also deleted, because they are in it: 2 items',
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
});
