/** The form that answers questions of the same shape in one act. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { readAll } from '../../support/answerForm.ts';
import { togetherView } from './alike.ts';
import { asynchronous, full, snapshot, states } from './samples.ts';
import { settle, twoFrames } from '../settled.ts';
import { assumptionsView } from './assumed.ts';

describe('the form of questions of the same shape', () => {
  const form = openForEach(questionSurface, { height: 1400 });

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const rows = () => form.page.locator('.assumed');
  const box = (index: number) => rows().nth(index).locator('input');
  const choice = (label: string) => form.page.getByRole('radio', { name: label });
  const ticked = () =>
    form.page.locator('.assumed input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked));

  it('is opened from a question by a link that says how many others there are; one alone has none', async () => {
    await form.send(snapshot(full({ together: { key: 'w1/together/Q-12', count: 8 } })));
    await form.page.getByRole('button', { name: '8 more like this: answer together…' }).click();
    assert.deepEqual(await onlyPosted(form, 'select'), { type: 'select', key: 'w1/together/Q-12' });
    await form.send(snapshot(full()));
    assert.equal(await act('together').count(), 0);
  });

  it('shows each question with what differs, who asks, and all that is signed with it', async () => {
    await form.send(snapshot(togetherView()));
    const texts = await rows().allInnerTexts();
    for (const [index, words] of [
      ['Add dependency zod?', 'build-bot-001', 'by hand', 'Form 0', 'packages/form-0/package.json'],
      ['Add dependency left-pad?', 'One more package', 'The list stays', '1 dependent item'],
      ['@scope/a-package-with-a-rather-long-name', 'build-bot-003', 'package.json:12'],
    ].entries())
      for (const word of words) assert.ok(texts[index]?.includes(word), `${word} in ${texts[index] ?? ''}`);
    assert.deepEqual(await form.page.locator('.alike-part').allInnerTexts(), [
      'zod',
      'left-pad',
      '@scope/a-package-with-a-rather-long-name',
    ]);
    assert.deepEqual(await ticked(), [true, true, true]);
  });

  it('hidden characters of an agent are shown, and its markup is text', async () => {
    const { questions } = togetherView();
    const [first] = questions;
    const text = [{ text: '<b>x</b> \u202Edoz', differs: true }];
    await form.send(snapshot(togetherView({ questions: [{ ...first!, text }, ...questions.slice(1)] })));
    assert.match(await rows().nth(0).innerText(), /<b>x<\/b> U\+202E\s*doz/);
  });

  it('sends one answer to what is ticked, once', async () => {
    const sent = snapshot(togetherView());
    await form.send(sent);
    await readAll(form.page);
    assert.equal(await act('decide').innerText(), 'Answer 3 questions');
    await choice('Yes').click();
    assert.equal(await act('decide').innerText(), 'Answer 3 questions “Yes”');
    await box(1).click();
    assert.equal(await act('decide').innerText(), 'Answer 2 questions “Yes”');
    await form.page.locator('#text').fill('Only for the forms.');
    await act('decide').click();
    const { act: _, ...rest } = await onlyPosted(form, 'answerTogether');
    assert.deepEqual(rest, {
      type: 'answerTogether',
      key: 'w1/together/Q-31',
      shown: 'sha256-together',
      render: 'render' in sent.view && sent.view.render,
      ticked: ['Q-31', 'Q-33'],
      choices: ['Yes'],
      text: 'Only for the forms.',
    });
    await act('decide')
      .click({ force: true, timeout: 500 })
      .catch(() => undefined);
    assert.equal((await form.posted()).length, 1, 'once');
  });

  it('until each question was on the screen, the button and its keys read on, and answer nothing', async () => {
    await form.page.setViewportSize({ width: 340, height: 400 });
    await form.send(snapshot(togetherView(), { tab: true }));
    assert.equal(await act('decide').count(), 0);
    await act('read-on').focus();
    await form.page.keyboard.press('Control+Enter');
    assert.equal(await form.page.locator('.hint').count(), 0);
    await readAll(form.page);
    await choice('Yes').click();
    await act('decide').click();
    await onlyPosted(form, 'answerTogether');
  });

  it('works with the keyboard alone, and says what the answer means', async () => {
    await form.send(snapshot(togetherView()));
    await readAll(form.page);
    await box(0).focus();
    await form.page.keyboard.press('Space');
    await choice('Yes').focus();
    await form.page.keyboard.press('ArrowDown');
    assert.match(await form.page.locator('.together').innerText(), /must find another way/);
    await form.page.keyboard.press('Control+Enter');
    const { ticked: ids, choices } = await onlyPosted(form, 'answerTogether');
    assert.deepEqual([ids, choices], [['Q-32', 'Q-33'], ['No']]);
  });

  it('sends nothing without a tick or a choice, and says so', async () => {
    await form.send(snapshot(togetherView()));
    await readAll(form.page);
    await act('decide').click();
    assert.equal(await form.page.locator('#hint-choices').innerText(), 'Choose one first.');
    for (const index of [0, 1, 2]) await box(index).click();
    await act('decide').click();
    assert.equal(await form.page.locator('#hint-ticks').innerText(), 'Select at least one.');
    assert.deepEqual(await form.posted(), []);
  });

  it('what comes or changes while the reader answers is not ticked; the other ticks stay', async () => {
    await form.send(snapshot(togetherView()));
    await choice('Yes').click();
    await box(0).click();
    const { questions } = togetherView();
    const later = [
      ...questions.with(1, { ...questions[1]!, shown: 'sha256-other' }),
      { ...questions[2]!, id: 'Q-40', key: 'w1/Q-40', shown: 'sha256-Q-40' },
    ];
    await form.send(snapshot(togetherView({ questions: later, shown: 'sha256-later' })));
    assert.deepEqual(await ticked(), [false, false, true, false]);
    assert.match(await form.page.locator('.notice-info').innerText(), /The list has changed/);
    await choice('No').click();
    assert.deepEqual(await ticked(), [false, false, true, false]);
  });

  it('each leads to its own form; where nothing can be decided, or only in a browser, it says so', async () => {
    await form.send(snapshot(togetherView({ locked: 'This folder is not trusted.' })));
    assert.equal(await act('decide').count(), 0);
    assert.match(await form.page.locator('.notice-info').innerText(), /not trusted/);
    await form.send(snapshot(togetherView({ inBrowser: 'The policy requires a passkey.' })));
    assert.equal(await act('decide').count(), 0);
    await act('open-Q-32').click();
    assert.deepEqual(await onlyPosted(form, 'select'), { type: 'select', key: 'w1/Q-32' });
  });

  it('afterwards a question names the others of the act', async () => {
    const { view } = states['answered']!();
    assert.ok(view.type === 'question' && view.resolution.type === 'answered');
    const others = ['Q-31', 'Q-33'].map((id) => ({ key: `w1/${id}`, id }));
    await form.send(snapshot({ ...view, resolution: { ...view.resolution, with: others } }));
    assert.match(
      await form.page.locator('[data-part="with"]').innerText(),
      /The same signature answered Q-31\s*, Q-33/,
    );
    await act('with-Q-33').click();
    assert.deepEqual(await onlyPosted(form, 'select'), { type: 'select', key: 'w1/Q-33' });
  });

  it('fits the narrowest view; the button is in sight at every size', async () => {
    for (const [width, height] of [
      [170, 366],
      [250, 366],
      [720, 450],
    ] as const) {
      await form.page.setViewportSize({ width, height });
      await form.send(snapshot(togetherView()));
      await readAll(form.page);
      const { top, bottom } = await act('decide').evaluate((one) => one.getBoundingClientRect());
      assert.ok(top >= 0 && bottom <= height, `${String(width)}x${String(height)}: ${String(bottom)}`);
      assert.ok(
        await form.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${String(width)} scrolls`,
      );
    }
  });
});

/** The form that confirms several assumptions in one act. */
describe('the form of several assumptions', () => {
  const form = openForEach(questionSurface);

  const act = (name: string) => form.page.locator(`[data-act="${name}"]`);
  const rows = () => form.page.locator('.assumed');
  const box = (index: number) => rows().nth(index).locator('input');
  const ticked = () =>
    form.page.locator('.assumed input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked));

  it('is opened from a question by a link that says how many there are; one alone has none', async () => {
    await form.send(snapshot(asynchronous({ assumptions: { key: 'w1/assumptions/', count: 4 } })));
    await form.page.getByRole('button', { name: 'Confirm all 4 assumptions…' }).click();
    assert.deepEqual(await onlyPosted(form, 'select'), { type: 'select', key: 'w1/assumptions/' });
    await form.send(snapshot(asynchronous()));
    assert.equal(await act('assumptions').count(), 0);
  });

  it('lists each question with its whole assumption; hidden characters are shown; critical ones are not ticked', async () => {
    const { questions } = assumptionsView();
    const hiding = { ...questions[2]!, assumption: `${questions[2]!.assumption}; \u202Etuo meht peek` };
    await form.send(snapshot(assumptionsView({ questions: questions.with(2, hiding) })));
    const texts = await rows().allInnerTexts();
    for (const [index, { text, assumption, agent }] of questions.entries()) {
      const shown = texts[index] ?? '';
      assert.ok(shown.includes(text.replaceAll('`', '')) && shown.includes(agent), shown);
      for (const line of assumption.split('\n')) assert.ok(shown.includes(line), shown);
    }
    assert.match(texts[2] ?? '', /90 days; U\+202E\s*tuo meht peek/);
    assert.deepEqual(await ticked(), [true, true, false, true]);
    assert.match(await act('decide').innerText(), /^Confirm 3 assumptions$/);
  });

  it('sends what is ticked in one act, as it is shown', async () => {
    const sent = snapshot(assumptionsView());
    await form.send(sent);
    await box(0).click();
    assert.match(await act('decide').innerText(), /^Confirm 2 assumptions$/);
    await act('decide').click();
    const { act: _, ...rest } = await onlyPosted(form, 'confirmAssumptions');
    assert.deepEqual(rest, {
      type: 'confirmAssumptions',
      key: 'w1/assumptions/',
      shown: 'sha256-assumptions',
      render: 'render' in sent.view && sent.view.render,
      ticked: ['Q-22', 'Q-24'],
      confirmed: false,
    });
    await act('decide')
      .click({ force: true, timeout: 500 })
      .catch(() => undefined);
    assert.equal((await form.posted()).length, 1, 'once');
  });
  it('a critical one that was ticked takes a second step, which says what is sent', async () => {
    await form.send(snapshot(assumptionsView()));
    await box(2).click();
    await act('decide').click();
    const step = await form.page.locator('.second-step').innerText();
    assert.match(step, /This is critical\. Confirm the assumption\?[^]*delete exports[^]*Yes: Yes, those older/);
    assert.doesNotMatch(step, /Node version/);
    assert.deepEqual(await form.posted(), []);
    await settle(form.page);
    assert.equal(await act('confirm').innerText(), 'Yes, confirm all 4');
    await act('confirm').click();
    const { ticked: ids, confirmed } = await onlyPosted(form, 'confirmAssumptions');
    assert.deepEqual([ids, confirmed], [['Q-21', 'Q-22', 'Q-23', 'Q-24'], true]);
  });
  it('what changed meanwhile is said, in sight and with the keyboard, and the rest is shown again', async () => {
    await form.page.setViewportSize({ width: 300, height: 366 });
    await form.send(snapshot(assumptionsView()));
    await act('decide').click();
    const { act: id } = await onlyPosted(form, 'confirmAssumptions');
    const questions = assumptionsView().questions.filter((one) => one.id !== 'Q-22');
    const text = 'Nothing was signed. Changed or answered in the meantime: Q-22. Check the list, then confirm again.';
    await form.send(
      snapshot(assumptionsView({ questions, shown: 'sha256-later' }), {
        outcome: { type: 'refused', act: id, reason: 'changed', text },
      }),
    );
    await twoFrames(form.page);
    const error = form.page.locator('.notice-error');
    assert.match(await error.innerText(), /Nothing was signed/);
    assert.ok(
      await error.evaluate(
        (one) => one.getBoundingClientRect().bottom <= innerHeight && one.getBoundingClientRect().top >= 0,
      ),
    );
    assert.equal(await form.page.evaluate(() => document.activeElement?.getAttribute('data-focus')), 'refusal');
    assert.match(await act('decide').innerText(), /^Confirm 2 assumptions$/);
  });
  it('each leads to its own form, and is read-only where nothing can be decided', async () => {
    await form.send(snapshot(assumptionsView({ locked: 'This folder is not trusted.' })));
    assert.equal(await act('decide').count(), 0);
    assert.match(await form.page.locator('.notice-info').innerText(), /not trusted/);
    await form.send(snapshot(assumptionsView()));
    await act('open-Q-22').click();
    assert.deepEqual(await onlyPosted(form, 'select'), { type: 'select', key: 'w1/Q-22' });
  });
});

describe('what was changed since an agent went on with an assumption', () => {
  const form = openForEach(questionSurface);

  const file = { path: 'src/export/csv.ts', exists: true };
  const cases = {
    'files that the agent named, and files of its work that anyone may have changed': [
      { byAgent: [file], inWork: [file, { path: 'test/csv.test.ts', exists: true }] },
      /Changed since by copilot-001, by its own records and commits \(1\)\s+Changed since in files of this work, by anyone \(2\)/,
    ],
    'only what anyone may have changed': [
      { byAgent: [], inWork: [file] },
      /^Changed since in files of this work, by anyone \(1\)$/,
    ],
    'that nothing of its work has changed': [{ byAgent: [], inWork: [] }, /^No file of this work has changed since\.$/],
    'that it cannot be told': [
      { byAgent: [], inWork: null },
      /^Cannot tell which files copilot-001 has changed since\.$/,
    ],
    'what the agent named, though its work names no files': [
      { byAgent: [file], inWork: null },
      /^Changed since by copilot-001, by its own records and commits \(1\)$/,
    ],
  } as const;
  for (const [what, [touched, words]] of Object.entries(cases)) {
    it(`says ${what}`, async () => {
      const assumption = {
        text: 'A',
        touched: { byAgent: [...touched.byAgent], inWork: touched.inWork && [...touched.inWork] },
      };
      await form.send(snapshot(asynchronous({ assumption })));
      assert.match(await form.page.locator('.details .parts').innerText(), words);
    });
  }
});
