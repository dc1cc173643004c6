/** Reviewing, as a person does it, and as nobody else can. */
import assert from 'node:assert/strict';
import type { RfcMessage } from '../../../src/protocol/rfc/rfc.ts';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { rfcSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import { approvable, comparing, full, section, small, snapshot, states } from './samples.ts';
import type { RfcForm } from './scenes.ts';

describe('the review', function () {
  this.timeout(30_000);
  let form: RfcForm;
  const opened = (one: RfcForm) => {
    form = one;
  };
  openForEach(rfcSurface, opened, { width: 1_280, height: 800 });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const field = (name: string) => form.page.locator(`[data-focus="${name}"]`);
  const focused = () => form.page.evaluate(() => document.activeElement?.getAttribute('data-focus') ?? '');
  const settled = () => settle(form.page);

  const only = <T extends RfcMessage['type']>(type: T) => onlyPosted(form, type);

  describe('approve', () => {
    it('in place: conditions and constraints one per line, the revision by number and hash', async () => {
      const sent = snapshot(approvable());
      await form.send(sent);
      await act('open-approve').click();
      await form.page.getByText('Approve revision 3 (7c55e2b8)').waitFor();
      assert.equal(await focused(), 'conditions', 'a text field has the keys, never the button');
      await field('conditions').fill('Seven days without a difference\n\n  An alarm ');
      await field('constraints').fill('PostgreSQL 17');
      await settled();
      await act('decide').click();
      const { act: name, ...rest } = await only('approve');
      assert.match(name, /^[0-9a-f-]{36}$/);
      assert.deepEqual(rest, {
        type: 'approve',
        key: '0/RFC-3',
        shown: 'sha256-rfc3-ready',
        render: 'render' in sent.view && sent.view.render,
        revision: 3,
        conditions: ['Seven days without a difference', 'An alarm'],
        constraints: ['PostgreSQL 17'],
      });
    });

    it('a double click, or four in the same place, decides nothing', async () => {
      await form.send(snapshot(approvable()));
      const box = (await act('open-approve').boundingBox())!;
      await form.page.mouse.click(box.x + 20, box.y + 10, { clickCount: 4, delay: 10 });
      await settled();
      const button = (await act('decide').boundingBox())!;
      await form.page.mouse.move(button.x + 20, button.y + 10);
      await form.page.mouse.down({ clickCount: 2 });
      await form.page.mouse.up({ clickCount: 2 });
      assert.deepEqual(await form.posted(), []);
    });

    it('by keys: Ctrl+Enter in a field does not approve; the button does, once', async () => {
      await form.send(snapshot(approvable()));
      await act('open-approve').focus();
      await form.page.keyboard.press('Enter');
      await form.page.keyboard.type('An alarm');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      assert.deepEqual(await form.posted(), []);
      await form.page.keyboard.press('Tab');
      await form.page.keyboard.press('Tab');
      await form.page.keyboard.press('Enter');
      await form.page.keyboard.press('Enter');
      assert.deepEqual((await only('approve')).conditions, ['An alarm']);
    });

    it('at first use the name goes with it', async () => {
      await form.send(states['firstUse']!());
      await act('open-approve').click();
      await form.page.getByRole('textbox', { name: 'Your name' }).fill('  ');
      await settled();
      await act('decide').click();
      await form.page.getByText('Enter your name first.').waitFor();
      await form.page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
      await settled();
      await act('decide').click();
      assert.equal((await only('approve')).name, 'Ada');
    });

    it('off: says why, and each reason leads to the first of its kind', async () => {
      await form.send(snapshot(full()));
      await act('open-approve').click();
      const status = form.page.locator('.page > [role=status]');
      assert.equal(await status.textContent(), 'Approve is off: 1 blocking thread is open.');
      assert.equal(await field('conditions').count(), 0);
      await act('jump').filter({ hasText: '1 blocking thread' }).click();
      assert.equal(await focused(), 'reply:T-1');
      await act('jump').filter({ hasText: '1 question for you' }).click();
      assert.equal(await focused(), 'question:2');
      assert.deepEqual(await form.posted(), []);
    });

    it('a new revision while reading: the bar says so, and only a look at it brings Approve back', async () => {
      await form.send(snapshot(approvable()));
      await act('open-approve').click();
      await field('conditions').fill('An alarm');
      const revisions = [
        ...approvable().revisions,
        { number: 4, hash: '0d1c7a55', at: approvable().proposedAt, by: 'copilot-001', approved: false },
      ];
      await form.send(snapshot(approvable({ shown: 'newer', latest: 4, revisions })));
      await form.page.getByText('Revision 4 is ready. Read it before approving.').waitFor();
      await settled();
      await act('decide').click();
      assert.deepEqual(await form.posted(), []);
      await act('latest').click();
      assert.deepEqual(await form.posted(), [{ type: 'selectRevision', key: '0/RFC-3', revision: 4 }]);
      await form.send(snapshot(approvable({ shown: 'newer', latest: 4, revision: 4, revisions })));
      assert.equal(await field('conditions').inputValue(), 'An alarm', 'what was written is still there');
      await settled();
      await act('decide').click();
      const posted = await form.posted();
      const last = posted.at(-1);
      assert.equal(last?.type === 'approve' && `${String(last.revision)} ${last.shown}`, '4 newer');
    });

    it('typing in the bar does not move the document', async () => {
      await form.send(snapshot(approvable()));
      await form.page.evaluate(() => {
        window.scrollTo(0, 200);
      });
      await act('open-approve').click();
      await form.page.keyboard.type('An alarm\nand a second one\nand a third');
      assert.equal(await form.page.evaluate(() => window.scrollY), 200);
    });
  });

  describe('the other decisions', () => {
    it('request changes: wants words; Ctrl+Enter sends them', async () => {
      await form.send(snapshot(full()));
      await act('open-requestChanges').click();
      await settled();
      await act('decide').click();
      await form.page.getByText('Describe the changes first.').waitFor();
      await form.page.keyboard.type('Say how long each phase takes.');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      assert.equal((await only('requestChanges')).reason, 'Say how long each phase takes.');
    });

    for (const [label, way] of [
      ['Stop this work', 'stop'],
      ['Continue another way', 'otherWay'],
    ] as const) {
      it(`reject: a reason, and ${label.toLowerCase()}`, async () => {
        await form.send(snapshot(full()));
        await act('open-reject').click();
        assert.equal(await form.page.locator('input[name=way]:checked').inputValue(), 'stop');
        await field('reject').fill('We leave the region.');
        await form.page.getByText(label).click();
        await settled();
        await act('decide').click();
        const { reason, way: sent } = await only('reject');
        assert.deepEqual({ reason, sent }, { reason: 'We leave the region.', sent: way });
      });
    }

    it('withdraw: a reason', async () => {
      await form.send(snapshot(small()));
      await act('open-withdraw').click();
      await field('withdraw').fill('Not now.');
      await settled();
      await act('decide').click();
      assert.equal((await only('withdraw')).reason, 'Not now.');
    });

    it('Escape and Back close the panel, and keep what was written', async () => {
      await form.send(snapshot(full()));
      await act('open-reject').click();
      await field('reject').fill('half a reason');
      await form.page.keyboard.press('Escape');
      assert.equal(await focused(), 'open.reject');
      await act('open-reject').click();
      assert.equal(await field('reject').inputValue(), 'half a reason');
      await act('back').click();
      assert.equal(await act('decide').count(), 0);
    });

    it('over: nothing to decide with, and what was decided is told', async () => {
      await form.send(states['approved']!());
      assert.equal(await form.page.locator('[data-act^="open-"]').count(), 0);
      await form.page.getByText('You approved revision 3').waitFor();
      await form.page.getByText('The outbox has an alarm at 100,000 rows').waitFor();
      await form.page.getByText('copilot-001 received it 1 min later').waitFor();
    });

    it('done: the panel goes, the decision has the keys, and it is said', async () => {
      await form.send(snapshot(approvable()));
      await act('open-approve').click();
      await settled();
      await act('decide').click();
      const { act: name } = await only('approve');
      await form.send({ ...states['approved']!(), outcome: { type: 'done', act: name } });
      assert.equal(await focused(), 'decided');
      assert.equal(await form.page.locator('.page > [role=status]').textContent(), 'Done.');
    });
  });

  describe('threads', () => {
    it('a comment: its kind, whether it blocks, its section and revision', async () => {
      await form.send(snapshot(full()));
      await form.page.getByRole('button', { name: 'Comment on Motivation' }).click();
      assert.equal(await focused(), 'comment:motivation.text');
      await form.page.keyboard.type('Which reports?');
      await form.page.getByLabel('Kind').selectOption('question');
      await form.page.getByText('Blocks the approval until you resolve it').click();
      await settled();
      await act('send-comment').click();
      const { section: where, feedback, content, blocking, revision } = await only('addFeedback');
      assert.deepEqual(
        { where, feedback, content, blocking, revision },
        { where: 'motivation', feedback: 'question', content: 'Which reports?', blocking: true, revision: 3 },
      );
    });

    it('nothing blocks unless one says so', async () => {
      await form.send(snapshot(full()));
      await act('comment').first().click();
      await form.page.keyboard.type('Fine.');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      assert.equal((await only('addFeedback')).blocking, false);
    });

    it('reply and resolve', async () => {
      await form.send(snapshot(full()));
      const thread = form.page.locator('[data-thread="T-1"]');
      await thread.locator('[data-act=reply]').click();
      await form.page.keyboard.type('Good.');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      const reply = await only('reply');
      assert.deepEqual([reply.thread, reply.content], ['T-1', 'Good.']);
      await form.send(snapshot(full(), { outcome: { type: 'done', act: reply.act } }));
      assert.equal(await focused(), 'reply:T-1', 'the keys stay at the thread');
      await settled();
      await form.page.getByRole('button', { name: 'Resolve the concern of Ada Lovelace' }).click();
      assert.equal((await form.posted()).at(-1)?.type, 'resolveThread');
    });

    it('drafts of comments survive a reload, each at its section', async () => {
      await form.send(snapshot(full()));
      await form.page.getByRole('button', { name: 'Comment on Summary' }).click();
      await form.page.keyboard.type('one');
      await form.page.getByRole('button', { name: 'Comment on Motivation' }).click();
      await form.page.keyboard.type('two');
      await form.reload();
      await form.send(snapshot(full()));
      assert.equal(await field('comment:motivation.text').inputValue(), 'two');
      await form.page.getByRole('button', { name: 'Comment on Summary' }).click();
      assert.equal(await field('comment:summary.text').inputValue(), 'one');
    });
  });

  describe('AI answers', () => {
    it('are marked, name their model and their evidence; one click turns one down', async () => {
      await form.send(snapshot(full()));
      const question = form.page.locator('[data-question="1"]');
      const text = await question.innerText();
      for (const words of ['AI answer', 'by Claude Sonnet 5', 'high confidence', 'Evidence'])
        assert.ok(text.includes(words), words);
      await question.getByText('Evidence').click();
      await question.getByText('420 writes a second at peak').waitFor();
      await question.getByRole('button', { name: 'Reject the AI answer to' }).click();
      assert.equal((await only('overruleAnswer')).question, '1');
    });

    it('one that waits for a human leads to its form', async () => {
      await form.send(snapshot(full()));
      await form.page.getByRole('button', { name: 'Answer Q-14' }).click();
      assert.deepEqual(await form.posted(), [{ type: 'openQuestion', key: '0/RFC-3', question: '0/Q-14' }]);
    });

    it('a verdict of the model decides nothing, and the model is asked on purpose only', async () => {
      await form.send(snapshot(full()));
      await form.page.getByText('recommends approval; the decision is yours').waitFor();
      assert.equal(await act('ask-reviewer').count(), 0);
      await form.send(states['noModel']!());
      await act('ask-reviewer').click();
      assert.deepEqual(await form.posted(), [{ type: 'askReviewer', key: '0/RFC-3' }]);
    });
  });

  describe('reading', () => {
    it('the contents mark what changed, what is open and what waits, and lead there by keys', async () => {
      await form.send(snapshot(full()));
      const entries = await form.page
        .locator('.contents-entry')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText.replace(/\s+/g, ' ').trim()));
      assert.deepEqual(entries, [
        'Summary',
        'Motivation',
        'Detailed design changed since your last review 2 2 open threads',
        'Alternatives',
        'Open questions changed since your last review 1 1 question for you',
        'Rollback plan new since your last review',
      ]);
      await form.page.locator('.contents-entry').nth(3).focus();
      await form.page.keyboard.press('Enter');
      assert.equal(await form.page.evaluate(() => document.activeElement?.textContent.trim()), 'Alternatives');
      await form.page.locator('.contents-entry[aria-current=true]', { hasText: 'Alternatives' }).waitFor();
    });

    it('revisions: another one, a comparison, what changed since the last review', async () => {
      await form.send(snapshot(full()));
      // By keys, as a person: what a script selects does not count.
      const pick = async (label: string, ...keys: string[]) => {
        await form.page.getByLabel(label).focus();
        for (const key of keys) await form.page.keyboard.press(key);
      };
      await pick('Revision', 'ArrowDown');
      await pick('Compare with', 'End');
      await act('since-review').click();
      await pick('Compare with', 'Home');
      assert.deepEqual(await form.posted(), [
        { type: 'selectRevision', key: '0/RFC-3', revision: 2 },
        { type: 'showDiff', key: '0/RFC-3', from: 1 },
        { type: 'showDiff', key: '0/RFC-3', from: 2 },
        { type: 'showDiff', key: '0/RFC-3' },
      ]);
    });

    it('a comparison is read aloud line by line, and shows the words that changed', async () => {
      await form.send(snapshot(comparing()));
      const design = form.page.locator('[data-section=detailed_design] .difference');
      const rows = await design
        .locator('p')
        .evaluateAll((all) => all.map((one) => one.textContent.replace(/\s+/g, ' ').trim()));
      assert.deepEqual(rows.slice(3, 5), [
        'removed: −Each write goes to PostgreSQL first. Writes stop for the length of the copy.',
        'added: +Each write goes to SQLite first, then to PostgreSQL through an outbox.',
      ]);
      assert.deepEqual(await design.locator('del').allTextContents(), [
        'PostgreSQL first. Writes stop for the length of the copy',
      ]);
      await form.page.locator('[data-section=risks]').getByText('The copy may take long.').waitFor();
      await form.page.locator('[data-section=summary]').getByText('Not changed').click();
      await form.page.getByText('Each phase can be taken back.').waitFor();
    });

    it('alternatives are a table, also where they are drawn as blocks', async () => {
      await form.send(snapshot(full()));
      for (const width of [1_280, 500]) {
        await form.page.setViewportSize({ width, height: 800 });
        const names = await form.page.locator('.alternatives').getByRole('rowheader').allTextContents();
        assert.equal(names.length, 3);
        assert.equal(await form.page.locator('.alternatives').getByRole('columnheader').count(), width === 500 ? 0 : 4);
        assert.equal(await form.page.locator('.alternatives').getByRole('cell').count(), 9);
      }
    });

    it('files open beside, the link is copied', async () => {
      await form.send(snapshot(full()));
      await form.page.getByRole('button', { name: 'src/store.ts' }).click();
      await act('copy-link').click();
      assert.deepEqual(await form.posted(), [
        { type: 'openFile', key: '0/RFC-3', path: 'src/store.ts', line: 12 },
        { type: 'copyLink', key: '0/RFC-3' },
      ]);
    });

    it('all of it by Tab, in the order one reads; nothing that has the keys lies under the bar', async () => {
      await form.send(snapshot(full()));
      const stops: string[] = [];
      for (let presses = 0; presses < 120; presses++) {
        await form.page.keyboard.press('Tab');
        const stop = await form.page.evaluate(() => {
          const now = document.activeElement;
          if (!now || now === document.body) return undefined;
          const bar = document.querySelector('.bar');
          const hidden =
            !bar?.contains(now) && now.getBoundingClientRect().bottom > (bar?.getBoundingClientRect().top ?? 0) + 1;
          return `${hidden ? 'HIDDEN ' : ''}${now.closest('.bar') ? 'bar' : now.closest('.contents') ? 'contents' : (now.closest<HTMLElement>('[data-section]')?.dataset['section'] ?? 'head')}`;
        });
        if (stop === undefined) break;
        stops.push(stop);
      }
      const order = stops.filter((one, index) => one !== stops[index - 1]);
      assert.deepEqual(order, [
        ...['head', 'contents', 'head', 'summary', 'motivation', 'detailed_design', 'alternatives'],
        ...['unresolved_questions', 'rollback_plan', 'head', 'bar'],
      ]);
    });

    it('read only: what one may not do does not exist', async () => {
      await form.send(states['locked']!());
      assert.equal(await form.page.locator('[data-act^="open-a"], [data-act=comment], [data-act=overrule]').count(), 0);
      await act('enrol').click();
      assert.deepEqual(await form.posted(), [{ type: 'do', action: 'enrol' }]);
    });
  });

  describe('a long document', () => {
    const paragraphs = Array.from(
      { length: 700 },
      (_, index) =>
        `### Step ${index}\n\nEach write of table ${index} goes through the outbox, in \`src/part${index}.ts\`.\n`,
    );
    const long = () =>
      snapshot(
        small({
          sections: [
            section('summary', 'Summary', 'Short.'),
            section('detailed_design', 'Detailed design', paragraphs.join('\n')),
          ],
        }),
      );

    it('is laid out as far as it is looked at, and its end can be reached', async () => {
      assert.ok(paragraphs.join('\n').split('\n').length > 2_000);
      await form.send(long());
      const skipped = await form.page
        .locator('.rfc-text code')
        .evaluateAll((all) => all.filter((one) => !one.checkVisibility({ contentVisibilityAuto: true })).length);
      assert.ok(skipped > 600, `${skipped} blocks are left for later`);
      await form.page.keyboard.press('End');
      await form.page.getByText('Each write of table 699').waitFor();
    });

    it('is rendered once: neither typing nor another snapshot makes it anew', async () => {
      await form.send(long());
      await form.page.evaluate(() => {
        const made: number[] = [];
        Object.assign(globalThis, { made });
        new MutationObserver((changes) => made.push(changes.length)).observe(document.querySelector('.rfc-document')!, {
          childList: true,
          subtree: true,
        });
      });
      await act('open-requestChanges').click();
      await form.page.keyboard.type('Say how long each phase takes.');
      await form.send(long());
      assert.deepEqual(await form.page.evaluate(() => (globalThis as unknown as { made: number[] }).made), []);
    });
  });

  it('nothing a script does decides: clicks, keys, forms, selections', async () => {
    const scripted = async (): Promise<void> => {
      await settled();
      await form.page.evaluate(() => {
        const all = [
          ...document.querySelectorAll<HTMLElement>('vscode-button, button, label, input, form, textarea, select'),
        ];
        const inner = all.flatMap((one) => [...(one.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? [])]);
        for (const one of [...all, ...inner]) {
          one.click();
          for (const type of ['pointerdown', 'mousedown', 'mouseup', 'pointerup', 'click', 'dblclick'])
            one.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, cancelable: true }));
          for (const key of ['Enter', ' ', 'Escape'])
            for (const ctrlKey of [true, false])
              one.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, composed: true }));
          one.dispatchEvent(new Event('change', { bubbles: true }));
          if (one instanceof HTMLFormElement) one.requestSubmit();
        }
      });
      assert.deepEqual(await form.posted(), []);
    };
    await form.send(snapshot(full()));
    await act('comment').first().click();
    await form.page.keyboard.type('ready to be sent');
    await scripted();
    await form.send(snapshot(approvable()));
    await act('open-approve').click();
    await field('conditions').fill('ready');
    await scripted();
    for (const panel of ['requestChanges', 'reject', 'withdraw']) {
      await act('back').click();
      await act(`open-${panel}`).click();
      await field(panel).fill('ready');
      await scripted();
    }
    await form.send(states['noModel']!());
    await scripted();
    await form.send(states['older']!());
    await scripted();
  });
});
