/** Reviewing, as a person does it and as no program can. */
import assert from 'node:assert/strict';
import type { RfcMessage } from '../../../src/ui/rfc/messages.ts';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { rfcSurface } from '../harness.ts';
import { settle } from '../settled.ts';
import {
  approvable,
  comparing,
  full,
  revision as revisionOf,
  section,
  small,
  snapshot,
  states,
  technical,
} from './samples.ts';

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The number of characters on each line of a paragraph. */
function charactersByLine(paragraph: Element): number[] {
  const text = paragraph.firstChild!;
  const range = document.createRange();
  const lines = new Map<number, number>();
  for (let at = 0; at < text.textContent!.length; at++) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const { top } = range.getBoundingClientRect();
    lines.set(top, (lines.get(top) ?? 0) + 1);
  }
  return [...lines.values()];
}

describe('the review', () => {
  const form = openForEach(rfcSurface, { width: 1_280, height: 800 });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const field = (name: string) => form.page.locator(`[data-focus="${name}"]`);
  const focused = () => form.page.evaluate(() => document.activeElement?.getAttribute('data-focus') ?? '');
  const settled = () => settle(form.page);

  const only = <T extends RfcMessage['type']>(type: T) => onlyPosted(form, type);

  describe('an approval', () => {
    it('happens in place, with conditions one per line, and names the revision and its hash', async () => {
      const sent = snapshot(approvable());
      await form.send(sent);
      await act('open-approve').click();
      await form.page.getByText('Approve revision 3 (7c55e2b8)').waitFor();
      assert.equal(await focused(), 'conditions', 'a text field has the focus, never the button');
      await field('conditions').fill('Seven days without a difference\n\n  An alarm ');
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
      });
    });

    it('ignores a double click, or four clicks in the same place', async () => {
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

    it('needs the button, once, and not Ctrl+Enter in a field', async () => {
      await form.send(snapshot(approvable()));
      await act('open-approve').focus();
      await form.page.keyboard.press('Enter');
      await form.page.keyboard.type('An alarm');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      assert.deepEqual(await form.posted(), []);
      await form.page.keyboard.press('Tab');
      await form.page.keyboard.press('Enter');
      await form.page.keyboard.press('Enter');
      assert.deepEqual((await only('approve')).conditions, ['An alarm']);
    });

    it('sends the name along at first use', async () => {
      await form.send(states['firstUse']!());
      await act('open-approve').click();
      await form.page.locator('[data-part=signs-as]', { hasText: 'Signed as ada' }).waitFor();
      await settled();
      await act('decide').click();
      assert.equal((await only('approve')).name, 'ada');
    });

    it('is disabled with reasons, and each leads to the first item of its kind', async () => {
      await form.send(snapshot(full()));
      await act('open-approve').click();
      const status = form.page.locator('.page > [role=status]');
      assert.equal(await status.textContent(), 'You cannot approve yet: 1 blocking thread is open.');
      assert.equal(await field('conditions').count(), 0);
      assert.deepEqual(await act('jump').allInnerTexts(), [
        'To resolve before approving: 3',
        'Ada Lovelace: How long is that, for the largest customer? We promised at most five minutes in docs/sla.md.',
        'May customer data be copied to the new region during phase 1?',
        'How long do we keep the SQLite file?',
      ]);
      await act('jump').first().click();
      assert.equal(await focused(), 'reply:1');
      await act('jump').nth(2).click();
      assert.equal(await focused(), 'question:2');
      assert.deepEqual(await form.posted(), []);
    });

    it('is disabled by a new revision until the human looks at it', async () => {
      await form.send(snapshot(approvable()));
      await act('open-approve').click();
      await field('conditions').fill('An alarm');
      const revisions = [...approvable().revisions, revisionOf(4, '0d1c7a55', approvable().proposedAt)];
      await form.send(snapshot(approvable({ shown: 'newer', latest: 4, revisions })));
      await form.page.getByText('Revision 4 is ready. Read it before approving.').waitFor();
      await settled();
      await act('decide').click();
      assert.deepEqual(await form.posted(), []);
      await act('latest').click();
      assert.deepEqual(await form.posted(), [{ type: 'selectRevision', key: '0/RFC-3', revision: 4 }]);
      await form.send(snapshot(approvable({ shown: 'newer', latest: 4, revision: 4, revisions })));
      assert.equal(await field('conditions').inputValue(), 'An alarm', 'the text is still there');
      await settled();
      await act('decide').click();
      const posted = await form.posted();
      const last = posted.at(-1);
      assert.equal(last?.type === 'approve' && `${String(last.revision)} ${last.shown}`, '4 newer');
    });

    const offs: [string, Parameters<typeof full>[0]][] = [
      ['a blocking thread', { missing: { threads: 1, questions: 0 } }],
      ['a question for a human', { missing: { threads: 0, questions: 1 } }],
      ['a later revision', { revision: 2, missing: { threads: 0, questions: 0 } }],
      ['a read-only store', { missing: { threads: 0, questions: 0 }, locked: { why: 'Read only.' } }],
    ];
    for (const [name, change] of offs)
      it(`is disabled by ${name}, even if the panel is already open`, async () => {
        await form.send(snapshot(approvable()));
        await act('open-approve').click();
        await form.send(snapshot(full(change)));
        await settled();
        if ((await act('decide').count()) > 0) await act('decide').click();
        assert.deepEqual(await form.posted(), []);
      });

    it('is not sent with too many conditions, which it counts', async () => {
      await form.send(snapshot(approvable()));
      await act('open-approve').click();
      await field('conditions').fill('x\n'.repeat(101));
      await settled();
      await act('decide').click();
      await form.page.getByText('101 lines; the limit is 100.').waitFor();
      assert.deepEqual(await form.posted(), []);
    });

    it('is not sent with one condition that is too long; several that are long together are', async () => {
      await form.send(snapshot(approvable()));
      await act('open-approve').click();
      await field('conditions').fill(`short\n${'x'.repeat(10_001)}`);
      await settled();
      await act('decide').click();
      await form.page.getByText('shorten it by 1.').waitFor();
      assert.deepEqual(await form.posted(), []);
      await field('conditions').fill(`${'x'.repeat(9_000)}\n${'y'.repeat(9_000)}`);
      assert.equal(await form.page.getByText('shorten it').count(), 0);
      await settled();
      await act('decide').click();
      assert.equal((await only('approve')).conditions.length, 2);
    });

    it('does not move the document while someone types in the bar', async () => {
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
    it('request changes: needs a reason, and Ctrl+Enter sends it', async () => {
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
      it(`reject: needs a reason, with the option to ${label.toLowerCase()}`, async () => {
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

    it('withdraw: needs a reason', async () => {
      await form.send(snapshot(small()));
      assert.equal(await act('open-withdraw').isVisible(), false);
      await act('more').click();
      await act('open-withdraw').click();
      await field('withdraw').fill('Not now.');
      await settled();
      await act('decide').click();
      assert.equal((await only('withdraw')).reason, 'Not now.');
    });

    it('close with Escape and Back, which keep the text', async () => {
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

    it('have no buttons once one is made, and it is shown', async () => {
      for (const state of ['rejected', 'withdrawn', 'approved']) {
        await form.send(states[state]!());
        assert.equal(await form.page.locator('[data-act="open-approve"], [data-act="open-reject"]').count(), 0, state);
      }
      await form.page.getByText('You approved revision 3').waitFor();
      await form.page.getByText('The outbox has an alarm at 100,000 rows').waitFor();
      await form.page.getByText('copilot-001 received it 1 min later').waitFor();
    });

    it('close the panel when done, focus the result, and announce it', async () => {
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
    it('have a blocking mark, a section and a revision', async () => {
      await form.send(snapshot(full()));
      await form.page.getByRole('button', { name: 'Comment on Motivation' }).click();
      assert.equal(await focused(), 'comment:motivation.text');
      await form.page.keyboard.type('Which reports?');
      await form.page.getByText('Blocks the approval until you resolve it').click();
      await settled();
      await act('send-comment').click();
      const { section: where, content, blocking, quote, revision } = await only('comment');
      assert.deepEqual(
        [where, content, blocking, quote, revision],
        ['motivation', 'Which reports?', true, undefined, 3],
      );
    });

    it('block only on request', async () => {
      await form.send(snapshot(full()));
      await act('comment').first().click();
      await form.page.keyboard.type('Fine.');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      assert.equal((await only('comment')).blocking, false);
    });

    it('quote a selection, if it is within one section', async () => {
      await form.send(snapshot(full()));
      const here = form.page.locator('.comment-here');
      const select = (from: string, to: string) =>
        form.page.evaluate(
          ([start, end]) => {
            const node = (name: string) => document.querySelector(`[data-section=${name}] .rfc-text p`)!.firstChild!;
            document.getSelection()!.setBaseAndExtent(node(start!), 5, node(end!), 14);
          },
          [from, to],
        );
      await select('summary', 'motivation');
      assert.equal(await here.isVisible(), false);
      await select('summary', 'summary');
      await here.click();
      assert.equal(await here.isVisible(), false);
      assert.equal(await form.page.locator('[data-focus="comment:summary"] .quote').textContent(), 'the store');
      await form.page.keyboard.type('Which?');
      await settled();
      await act('send-comment').click();
      assert.equal((await only('comment')).quote, 'the store');
    });

    it('appear beside their text, which is marked', async () => {
      await form.send(snapshot(full()));
      const [thread, words] = await Promise.all(
        [form.page.locator('[data-thread="2"]'), form.page.locator('li', { hasText: 'Compare nightly' })].map((one) =>
          one.boundingBox(),
        ),
      );
      assert.ok(Math.abs(thread!.y - words!.y) < 8, `${thread!.y} beside ${words!.y}`);
      const marked = await form.page.evaluate(() =>
        [...CSS.highlights.get('quoted')!].map((range) => (range as Range).toString()),
      );
      assert.deepEqual(marked, ['Compare nightly, row by row.']);
    });

    it('accept replies and can be resolved', async () => {
      await form.send(snapshot(full()));
      const thread = form.page.locator('[data-thread="1"]');
      await thread.locator('[data-act=reply]').click();
      await form.page.keyboard.type('Good.');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      const reply = await only('reply');
      assert.deepEqual([reply.thread, reply.content], [1, 'Good.']);
      await form.send(snapshot(full(), { outcome: { type: 'done', act: reply.act } }));
      assert.equal(await focused(), 'reply:1', 'the focus stays at the thread');
      await settled();
      await form.page.getByRole('button', { name: 'Resolve the comment of Ada Lovelace' }).click();
      assert.equal((await form.posted()).at(-1)?.type, 'resolveThread');
    });

    it('keep their drafts over a reload, each at its section', async () => {
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
    it('are marked, and name their model and evidence; one click rejects one', async () => {
      await form.send(snapshot(full()));
      const question = form.page.locator('[data-question="1"]');
      const text = await question.innerText();
      for (const words of ['AI answer', 'by Claude Sonnet 5', 'high confidence', 'Evidence'])
        assert.ok(text.includes(words), words);
      await question.getByText('Evidence').click();
      await question.getByText('420 writes a second at peak').waitFor();
      await question.getByRole('button', { name: 'Reject the AI answer to' }).click();
      assert.equal((await only('overruleAnswer')).question, 1);
    });

    it('can be replaced in place: by a choice of the author, by text, or by both', async () => {
      await form.send(snapshot(full()));
      const question = form.page.locator('[data-question="6"]');
      await question.getByText('It is 12 GB for the largest tenant.').waitFor();
      await settled();
      await question.locator('[data-act=answer]').click();
      await form.page.getByText('Enter an answer first.').waitFor();
      await question.getByRole('radio', { name: /^30 days/ }).click();
      await settled();
      await question.locator('[data-act=answer]').click();
      const sent = await only('answerQuestion');
      assert.deepEqual([sent.question, sent.choices, sent.content], [6, ['30 days'], '']);
      await form.send(snapshot(full(), { outcome: { type: 'done', act: sent.act } }));
      assert.equal(await focused(), 'question:6');
      await form.page.locator('[data-question="2"] textarea').fill('  Only within the EU. ');
      await settled();
      await form.page.keyboard.press('Control+Enter');
      const last = (await form.posted()).at(-1);
      assert.deepEqual(last?.type === 'answerQuestion' && [last.question, last.choices, last.content], [
        2,
        [],
        'Only within the EU.',
      ]);
    });

    it('drop a choice that is no longer offered', async () => {
      await form.send(snapshot(full()));
      await form.page.getByRole('radio', { name: /^30 days/ }).click();
      const view = full();
      const sections = view.sections.map((one) => ({
        ...one,
        questions: one.questions.map((question) => ({ ...question, choices: [] })),
      }));
      await form.send(snapshot({ ...view, sections }));
      await settled();
      await form.page.locator('[data-question="6"] [data-act=answer]').click();
      await form.page.getByText('Enter an answer first.').waitFor();
      assert.deepEqual(await form.posted(), []);
    });

    it('say why a question needs no answer, which is an answer', async () => {
      await form.send(snapshot(full()));
      const question = form.page.locator('[data-question="6"]');
      await question.getByRole('radio', { name: /^30 days/ }).click();
      await settled();
      await question.locator('[data-act=needless]').click();
      await form.page.getByText('Say why it needs no answer.').waitFor();
      assert.deepEqual(await form.posted(), []);
      await question.locator('textarea').fill('The file goes with the host.');
      await settled();
      await question.locator('[data-act=needless]').click();
      const { choices, content } = await only('answerQuestion');
      assert.deepEqual([choices, content], [[], 'Needs no answer: The file goes with the host.']);
    });

    it('lead to the form of a question that waits for a human', async () => {
      await form.send(snapshot(full()));
      await form.page.getByRole('button', { name: 'Open Q-14' }).click();
      assert.deepEqual(await form.posted(), [{ type: 'openQuestion', key: '0/RFC-3', id: 'Q-14' }]);
    });

    it('decide nothing, and the model is asked only on request', async () => {
      await form.send(snapshot(full()));
      await form.page.getByText('recommends approval; the decision is yours').waitFor();
      assert.equal(await act('ask-reviewer').count(), 0);
      await form.send(states['noModel']!());
      await act('ask-reviewer').click();
      assert.deepEqual(await form.posted(), [{ type: 'askReviewer', key: '0/RFC-3' }]);
    });
  });

  describe('the document', () => {
    it('marks changed, open and waiting parts in the contents, which lead there by keyboard', async () => {
      await form.send(snapshot(full()));
      const entries = await form.page
        .locator('.contents-entry')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText.replace(/\s+/g, ' ').trim()));
      assert.deepEqual(entries, [
        'Summary',
        'Motivation',
        'Detailed design changed since your last review 2 2 open threads',
        'Phase 1: write to both',
        'Phase 2: read from PostgreSQL',
        ...['Alternatives', 'SQLite with WAL', 'A hosted service'],
        'Open questions changed since your last review 1 1 question for you',
        'Rollback plan new since your last review',
      ]);
      await form.page.locator('.contents-entry').nth(5).focus();
      await form.page.keyboard.press('Enter');
      assert.equal(await form.page.evaluate(() => document.activeElement?.textContent.trim()), 'Alternatives');
      await form.page.locator('.contents-entry[aria-current=true]', { hasText: 'Alternatives' }).waitFor();
    });

    it('offers another revision, a comparison, and the changes since the last review', async () => {
      await form.send(snapshot(full()));
      // By keyboard, as a person: a scripted selection does not count.
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

    it('announces a comparison line by line, and shows changed words', async () => {
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

    it('has lines of 70 to 90 characters at any width, and keeps its position', async () => {
      await form.send(snapshot(technical()));
      for (const width of [1_000, 1_280, 1_440, 1_920]) {
        await form.page.setViewportSize({ width, height: 900 });
        const lines = await form.page.locator('.rfc-text p').nth(1).evaluate(charactersByLine);
        const typical = lines.slice(0, -1).toSorted((a, b) => a - b)[Math.floor(lines.length / 2)]!;
        assert.ok(typical >= 70 && typical <= 90, `${width} px: ${lines.join(', ')}`);
      }
    });

    it('shows the margin only where there are threads', async () => {
      await form.send(snapshot(full()));
      const columns = await form.page
        .locator('.rfc-section')
        .evaluateAll((all) =>
          all.map(
            (one) =>
              `${(one as HTMLElement).dataset['section']} ${getComputedStyle(one).gridTemplateColumns.split(' ').length}`,
          ),
        );
      assert.deepEqual(columns.slice(0, 3), ['summary 1', 'motivation 1', 'detailed_design 2']);
    });

    it('scrolls a wide table without breaking words, and code without breaking lines', async () => {
      await form.page.setViewportSize({ width: 900, height: 800 });
      await form.send(snapshot(technical()));
      const box = form.page.locator('.rfc-text .scroll-x:has(table)');
      const { wide, broken } = await box.evaluate((one) => {
        const range = document.createRange();
        const words = [...one.querySelectorAll('td, th')].flatMap((cell) => {
          const text = cell.firstChild!;
          return [...text.textContent!.matchAll(/\S+/g)].map(({ index, 0: word }) => {
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            return { word, rows: new Set([...range.getClientRects()].map(({ top }) => top)).size };
          });
        });
        // A line may end at a slash or a hyphen, but not within a name.
        const isWhole = ({ word, rows }: { word: string; rows: number }) => rows === 1 || /[/-]/.test(word);
        return { wide: one.scrollWidth > one.clientWidth, broken: words.filter((word) => !isWhole(word)) };
      });
      assert.deepEqual({ wide, broken }, { wide: true, broken: [] });
      const code = form.page.locator('.rfc-text pre').first();
      const lines = await code.evaluate((one) => [one.scrollWidth > one.clientWidth, getComputedStyle(one).whiteSpace]);
      assert.deepEqual(lines, [true, 'pre']);
    });

    it('aligns a column of numbers as its author says', async () => {
      await form.send(snapshot(technical()));
      const aligned = await form.page
        .locator('.rfc-text td')
        .evaluateAll((all) => all.slice(0, 3).map((one) => getComputedStyle(one).textAlign));
      assert.deepEqual(aligned, ['start', 'right', 'start']);
    });

    it('colours code in known languages, and leaves its text unchanged', async () => {
      await form.send(snapshot(technical()));
      const [typescript, json] = [form.page.locator('.rfc-text pre').nth(0), form.page.locator('.rfc-text pre').nth(1)];
      await typescript.locator('.code-keyword').first().waitFor();
      assert.match(await typescript.innerText(), /await first\.insert\(order\);/);
      await json.scrollIntoViewIfNeeded();
      await json.locator('.code-number', { hasText: '1000000' }).waitFor();
      const [keyword, plain] = await typescript.evaluate((one) => [
        getComputedStyle(one.querySelector('.code-keyword')!).color,
        getComputedStyle(one).color,
      ]);
      assert.notEqual(keyword, plain);
    });

    it('shows a workspace image on request, and only names a remote one', async () => {
      await form.send(snapshot(technical()));
      await form.page.getByText('a remote one').waitFor();
      assert.equal(await form.page.locator('.rfc-text img').count(), 0);
      await form.page.getByRole('button', { name: 'Show image: The way of a write' }).click();
      assert.deepEqual(await form.posted(), [{ type: 'showImage', key: '0/RFC-3', path: 'docs/write.png' }]);
      await form.send(snapshot(technical(), { image: { path: 'docs/write.png', data: pixel } }));
      const image = form.page.getByRole('img', { name: 'The way of a write' });
      assert.equal(await image.evaluate((one) => (one as HTMLImageElement).naturalWidth), 1);
      assert.deepEqual(form.complaints, []);
    });

    it('explains why an image cannot be shown', async () => {
      await form.send(snapshot(technical()));
      await form.page.getByRole('button', { name: 'Show image: The way of a write' }).click();
      await form.send(snapshot(technical(), { image: { path: 'docs/write.png', problem: 'There is none.' } }));
      await form.page.getByText('There is none.').waitFor();
    });

    it('opens files beside, and copies the link', async () => {
      await form.send(snapshot(full()));
      await form.page.getByRole('button', { name: 'src/store.ts' }).click();
      await act('copy-link').click();
      assert.deepEqual(await form.posted(), [
        { type: 'openFile', key: '0/RFC-3', path: 'src/store.ts', line: 12 },
        { type: 'copyLink', key: '0/RFC-3' },
      ]);
    });

    it('reaches everything by Tab in reading order, and the bar never covers the focus', async () => {
      await form.send(snapshot(full()));
      const stops: string[] = [];
      for (let presses = 0; presses < 160; presses++) {
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

    it('omits unavailable actions when it is read-only', async () => {
      await form.send(states['locked']!());
      assert.equal(await form.page.locator('[data-act^="open-a"], [data-act=comment], [data-act=overrule]').count(), 0);
      await act('enrol').click();
      assert.deepEqual(await form.posted(), [{ type: 'openForm', key: '0/enrol' }]);
    });

    it('leads to the browser where only a passkey decides, also in an editor that cannot sign', async () => {
      await form.send(states['inBrowserStranger']!());
      assert.equal(await act('enrol').count(), 0);
      await act('open-in-browser').click();
      assert.deepEqual(await form.posted(), [{ type: 'openInBrowser', key: '0/RFC-3' }]);
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

    it('is laid out only as far as it is scrolled, and its end can be reached', async () => {
      assert.ok(paragraphs.join('\n').split('\n').length > 2_000);
      await form.send(long());
      const skipped = await form.page
        .locator('.rfc-text code')
        .evaluateAll((all) => all.filter((one) => !one.checkVisibility({ contentVisibilityAuto: true })).length);
      assert.ok(skipped > 600, `${skipped} blocks are not laid out yet`);
      await form.page.keyboard.press('End');
      await form.page.getByText('Each write of table 699').waitFor();
    });

    it('is rendered once: neither typing nor another snapshot renders it again', async () => {
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
});
