/** What a person may see: each state of the view, and those one reaches only by doing something. */
import type { Snapshot } from '../../../src/ui/answer/view.ts';
import type { Form } from '../harness.ts';
import { openAdvanced, openWays, readAll } from '../../support/answerForm.ts';
import {
  appointView,
  approval,
  askView,
  enrolView,
  keysView,
  leaveView,
  shareView,
  remoteWords,
  asynchronous,
  before,
  full,
  givenAgain,
  heldChanges,
  now,
  plain,
  life,
  policyView,
  recoveryView,
  refusedView,
  releaseAllView,
  workView,
  requestView,
  snapshot,
  states,
  widened,
} from './samples.ts';
import { settle } from '../settled.ts';
import { togetherView } from './alike.ts';
import { assumptionsView } from './assumed.ts';

type Scene = (form: Form) => Promise<void>;

const settingsSections: Snapshot['sections'] = [
  { name: 'policy', key: 'w1/policy', current: true },
  { name: 'keys', key: 'w1/keys', current: false },
  { name: 'appoint', key: 'w1/responsibilities', current: false },
  { name: 'ask', key: 'w1/newRequest', current: false },
];

const sent = Object.fromEntries(
  Object.entries(states).map(([name, make]): [string, Scene] => [name, (form) => form.show(make())]),
);

const inHalfAMinute = new Date(Date.parse(now) + 30_000).toISOString();

/** The fourth of twelve, after a decision that can still be taken back. */
const queue: NonNullable<Snapshot['queue']> = {
  run: { index: 4, of: 12, done: 3 },
  held: [
    { act: 'a-3', key: 'w1/Q-11', how: 'answer', said: 'Opaque tokens, hashed in Postgres', until: inHalfAMinute },
  ],
};

const outage = { state: 'offline', since: before(6) } as const;

export const scenes: Record<string, Scene> = {
  heldChanges: (form) => form.show(snapshot(full({ changes: heldChanges }))),
  outage: (form) => form.show(snapshot(full(), { outage })),
  outageUnknown: (form) =>
    form.show(snapshot(full(), { outage: { ...outage, state: 'unknown', why: 'lease', folder: 'payments' } })),
  ...sent,
  policyRules: async (form) => {
    await form.send(
      snapshot(
        policyView(
          {},
          {
            quorum: {
              rules: [
                { globs: ['payments/**'], people: ['Ada Lovelace', 'Grace Hopper', 'Linus'], count: 2 },
                { urgencies: ['critical'], types: ['approval'], people: ['Grace Hopper'], count: 1 },
              ],
            },
          },
        ),
        { tab: true, sections: settingsSections },
      ),
    );
    await form.page.locator('[data-act=add-rules]').scrollIntoViewIfNeeded();
  },
  picked: async (form) => {
    await form.send(snapshot(full()));
    await form.page.keyboard.press('2');
    await form.page.locator('#text').fill('Mobile clients keep their tokens anyway.');
  },
  unfolded: async (form) => {
    await form.send(snapshot(full()));
    for (const summary of await form.page.locator('summary').all()) await summary.click();
  },
  asyncUnfolded: async (form) => {
    await form.send(snapshot(asynchronous()));
    for (const summary of await form.page.locator('summary').all()) await summary.click();
  },
  inTab: async (form) => {
    await form.show(snapshot(full(), { tab: true }));
  },
  queue: async (form) => {
    await form.show(snapshot(full(), { tab: true, queue: { ...queue, held: [] } }));
  },
  queueUndo: async (form) => {
    await form.show(snapshot(full(), { tab: true, queue }));
  },
  undo: async (form) => {
    const { held } = queue;
    await form.show(snapshot(full({ key: 'w1/Q-11', id: 'Q-11' }), { queue: { held } }));
  },
  undoOther: async (form) => {
    await form.show(snapshot(full(), { queue: { held: queue.held } }));
  },
  queueText: async (form) => {
    await form.show(snapshot(plain(), { tab: true, queue: { ...queue, held: [] } }));
  },
  queueConfirm: async (form) => {
    await form.send(snapshot(full({ urgency: 'critical', secondStep: true }), { tab: true, queue }));
    await readAll(form.page);
    await form.page.keyboard.press('1');
    await form.page.keyboard.press('Control+Enter');
  },
  queueRequest: async (form) => {
    await form.show(snapshot(requestView(), { tab: true, queue }));
  },
  queueEnd: async (form) => {
    const title = 'The invoice for Swiss customers needs a VAT number. Which of the two?';
    const view: Snapshot['view'] = {
      ...{ type: 'nothing', proposals: [] },
      left: [
        { key: 'w1/Q-7', id: 'Q-7', title },
        { key: 'w1/R-4', id: 'R-4', title: 'Request R-4' },
      ],
      rfcs: [{ key: 'w1/RFC-1', id: 'RFC-1', title: 'Token storage and revocation' }],
      agents: [{ agent: 'builder-001', what: 'API tokens', since: before(1) }],
    };
    await form.show(snapshot(view, { tab: true, queue: { run: { of: 12, done: 10 }, held: queue.held } }));
  },
  queueDone: async (form) => {
    const agents = [{ agent: 'builder-001', what: 'API tokens', since: before(1) }];
    const view: Snapshot['view'] = { type: 'nothing', left: [], rfcs: [], proposals: [], agents };
    await form.show(snapshot(view, { tab: true, queue: { run: { of: 12, done: 12 }, held: [] } }));
  },
  settings: async (form) => {
    await form.show(snapshot(policyView(), { tab: true, sections: settingsSections }));
  },
  byKeyboard: async (form) => {
    await form.send(snapshot(full(), { focus: 'opened' }));
    await form.page.keyboard.press('ArrowDown');
  },
  many: async (form) => {
    const files = Array.from({ length: 40 }, (_, index) => ({ path: `src/generated/part${index}.ts`, exists: true }));
    const work = files.map((_, index) => ({ id: `t-${index}`, title: `Part ${index}` }));
    const blocks = {
      work,
      cascade: { count: 900, named: [] },
      files: files.map(({ path }) => path),
      wholeSession: true,
    };
    await form.send(snapshot(full({ files, blocks, text: 'May I delete the generated parts? '.repeat(40) })));
  },
  linkFocused: async (form) => {
    await form.send(snapshot(plain()));
    await form.page.locator('#text').fill('UTC, always.');
    await form.page.keyboard.press('Tab');
    await form.page.keyboard.press('Tab');
  },
  requestDeferring: async (form) => {
    await form.send(snapshot(requestView()));
    await form.page.getByRole('radio', { name: 'Defer' }).click();
    await form.page.locator('#text').fill('After the release.');
    await form.page.keyboard.press('Control+Enter');
  },
  requestRejecting: async (form) => {
    await form.send(snapshot(requestView({ payload: '{\n  "ticket": "OPS-12",\n  "labels": ["tls"]\n}' })));
    await form.page.locator('details:has(pre) > summary').click();
    await form.page.getByRole('radio', { name: 'Reject' }).click();
    await form.page.keyboard.press('Control+Enter');
  },
  askPassingOn: async (form) => {
    await form.send(snapshot(askView()));
    await form.page.locator('#origin').selectOption('jane@shop');
    await form.page.locator('#target').selectOption('backend');
    await form.page.getByRole('radio', { name: 'New context is available' }).click();
    await form.page.locator('#ingestion').selectOption('R-4');
    await form.page.locator('#subject').fill('Prices changed in February');
    await form.page.keyboard.press('Control+Enter');
  },
  askMore: async (form) => {
    await form.send(snapshot(askView()));
    await form.page.locator('#origin').selectOption('ada@shop');
    await form.page.locator('#target').selectOption('backend');
    await form.page.locator('#subject').fill('Renew the certificate of the payment gateway');
    await form.page.locator('#summary').fill('It ends on **4 March**.');
    await form.page.locator('summary').click();
    await form.page.locator('#suggested').fill('Sign in to the registrar\nUpload the new key');
    await form.page.locator('#respond').fill('soon');
    await form.page.keyboard.press('Control+Enter');
  },
  appointConfirm: async (form) => {
    await form.send(snapshot(appointView()));
    await form.page.getByRole('radio', { name: 'A steward' }).click();
    await form.page.locator('#id').fill('mary@shop');
    await form.page.locator('#called').fill('Mary');
    await form.page.locator('#agents').fill('mary-001, mary-002');
    await form.page.keyboard.press('Control+Enter');
  },
  revoking: async (form) => {
    await form.send(snapshot(givenAgain()));
    await form.page.locator('[data-act="revoke"]').click();
    await form.page.locator('#text').fill('The gateway wants stateless tokens now.');
  },
  holdingAll: async (form) => {
    await form.send(snapshot(full()));
    await openWays(form.page);
    await form.page.locator('[data-act=open-holdAll]').click();
    // The form scrolls to the step: nothing else is pointed at.
    await form.page.mouse.move(0, 0);
  },
  holdingAllFirstUse: async (form) => {
    await form.send(snapshot(plain({ answersAs: { name: 'ada', editable: true } })));
    await openWays(form.page);
    await form.page.locator('[data-act=open-holdAll]').click();
    // The form scrolls to the step: nothing else is pointed at.
    await form.page.mouse.move(0, 0);
  },
  holdingNamed: async (form) => {
    await form.send(snapshot(widened()));
    await openWays(form.page);
    await form.page.locator('[data-act=open-holdNamed]').click();
    // The form scrolls to the step: nothing else is pointed at.
    await form.page.mouse.move(0, 0);
  },
  refusing: async (form) => {
    await form.send(snapshot(approval()));
    await form.page.keyboard.press('2');
    await form.page.locator('#text').fill('Not before the backup was tested.');
  },
  stopping: async (form) => {
    await form.send(snapshot(approval()));
    await form.page.keyboard.press('3');
    await form.page.locator('#text').fill('We keep the old sessions.');
  },
  meaningNo: async (form) => {
    await form.send(snapshot(full()));
    await form.page.keyboard.press('4');
    await form.page.locator('#text').fill('Leave the tokens alone.');
  },
  lifting: async (form) => {
    await form.send(snapshot(refusedView()));
    await form.page.locator('[data-act=lift]').click();
    await form.page.locator('#text').fill('The backup was tested this morning.');
  },
  liftingConfirm: async (form) => {
    await form.send(snapshot(refusedView()));
    await form.page.locator('[data-act=lift]').click();
    await form.page.locator('#text').fill('The backup was tested this morning.');
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
  },
  askingBack: async (form) => {
    await form.send(snapshot(full()));
    await openWays(form.page);
    await form.page.locator('[data-act=askBack]').click();
    await form.page.locator('#text').fill('How many clients would have to change?');
  },
  askingBackWide: async (form) => {
    await form.page.setViewportSize({ width: 520, height: 600 });
    await form.send(snapshot(full()));
  },
  repliedUnfolded: async (form) => {
    await form.send(states['repliedTwice']!());
    await form.page.locator('.thread summary').click();
  },
  parkedUnfolded: async (form) => {
    await form.send(states['parked']!());
    await form.page.locator('[data-part=parked] summary').click();
  },
  releasing: async (form) => {
    await form.send(snapshot(full()));
    await openWays(form.page);
    await form.page.locator('[data-act=release]').click();
  },
  cancelling: async (form) => {
    await form.send(snapshot(plain()));
    await openWays(form.page);
    await form.page.locator('[data-act=cancel]').click();
    await form.page.locator('#text').fill('We dropped nightly exports.');
  },
  missing: async (form) => {
    await form.send(snapshot(full()));
    await readAll(form.page);
    await form.page.locator('[data-act=decide]').click();
  },
  tooLong: async (form) => {
    await form.send(snapshot(plain()));
    await form.page.locator('#text').fill('word '.repeat(1_020).trim());
    await form.page.locator('[data-act=decide]').click();
  },
  secondStep: async (form) => {
    await form.send(snapshot(approval()));
    await readAll(form.page);
    await form.page.keyboard.press('1');
    await form.page.locator('#text').fill('The backup was tested.');
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
  },
  sending: async (form) => {
    await form.send(snapshot(plain()));
    await form.page.locator('#text').fill('UTC, always.');
    await form.page.locator('[data-act=decide]').click();
    await form.page.locator('.sending').waitFor();
  },
  refused: async (form) => {
    await form.send(snapshot(plain()));
    await form.page.locator('#text').fill('UTC, always.');
    await form.page.locator('[data-act=decide]').click();
    const act = (await form.posted()).find((message) => message.type === 'answer')?.act ?? '';
    const text = 'Your answer was not stored: the disk is full. Free some space and answer again.';
    await form.send(snapshot(plain(), { outcome: { type: 'refused', act, reason: 'failed', text } }));
  },
  overtaken: async (form) => {
    await form.send(snapshot(full()));
    await form.page.keyboard.press('1');
    await form.page.locator('#text').fill('We run Redis from next week on anyway.');
    await form.send(states['somebodyElse']!());
  },
  policyWrong: async (form) => {
    await form.send(snapshot(policyView()));
    await form.page.locator('#wait-critical').fill('0');
    await form.page.locator('[data-act=decide]').click();
  },
  policyTools: async (form) => {
    await form.send(snapshot(policyView({}, { hooks: { readOnlyTools: ['docs/search', 'github/get_pull_request'] } })));
    await openAdvanced(form.page);
    await form.page.locator('#tools-1-it').fill('search');
    await form.page.locator('[data-act=decide]').click();
  },
  policyInterruptions: async (form) => {
    const urgencies = { critical: 'now', high: 'now', medium: 'digest', low: 'silent' } as const;
    const agents = [
      { agent: 'build-bot', how: 'silent' },
      { agent: 'copilot-001', urgencies: ['critical'], how: 'digest' },
    ] as const;
    await form.send(
      snapshot(policyView({}, { interruptions: { urgencies, agents: [...agents], digestMinutes: 15, perHour: 6 } })),
    );
    await openAdvanced(form.page);
  },
  policySearch: async (form) => {
    await form.send(snapshot(policyView()));
    await openAdvanced(form.page);
    await form.page.getByRole('searchbox').fill('agents');
  },
  policyReminders: async (form) => {
    await form.send(snapshot(policyView()));
    await form.page.locator('#remind-medium').fill('1441');
    await form.page.locator('[data-act=decide]').click();
  },
  policySecondStep: async (form) => {
    await form.send(snapshot(policyView()));
    await form.page.locator('#wait-critical').fill('72');
    await form.page.getByText('It becomes critical').click();
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
  },
  policySaved: async (form) => {
    await form.send(snapshot(policyView()));
    await form.page.locator('#wait-critical').fill('72');
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
    await form.page.locator('[data-act=confirm]').click();
    const act = (await form.posted()).find((message) => message.type === 'policy')?.act ?? '';
    const outcome = { type: 'done', act, text: 'Saved. It is in force.' } as const;
    await form.send(snapshot(policyView({ shown: 'sha256-after' }, { questionLife: life(72) }), { outcome }));
  },
  assumptions: (form) => form.send(snapshot(assumptionsView())),
  assumptionsFirst: (form) =>
    form.send(
      snapshot(
        assumptionsView({ agent: 'copilot-001', more: 3, answersAs: { name: 'ada', editable: true }, folder: 'shop' }),
      ),
    ),
  assumptionsSecondStep: async (form) => {
    await form.send(snapshot(assumptionsView()));
    await form.page.locator('.assumed input').nth(2).click();
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
  },
  together: (form) => form.send(snapshot(togetherView())),
  togetherNo: async (form) => {
    await form.send(snapshot(togetherView({ folder: 'shop', more: 2, answersAs: { name: 'ada', editable: true } })));
    await form.page.locator('#together-1').click();
  },
  togetherBrowser: (form) => form.send(snapshot(togetherView({ inBrowser: remoteWords }))),
  togetherLink: (form) => form.show(snapshot(full({ together: { key: 'w1/together/Q-12', count: 8 } }))),
  assumptionsLink: (form) => form.show(snapshot(asynchronous({ assumptions: { key: 'w1/assumptions/', count: 4 } }))),
  releasingAll: async (form) => {
    await form.send(snapshot(releaseAllView()));
    await form.page.locator('#text').fill('Use your judgement, and write down what you chose.');
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
  },
  deletingWork: async (form) => {
    await form.send(snapshot(workView()));
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
  },
  losing: async (form) => {
    await form.send(snapshot(enrolView({ remote: remoteWords })));
    await form.page.locator('fieldset label', { hasText: 'Ada Lovelace' }).click();
    await form.page.locator('[data-act=enrol]').click();
    await settle(form.page);
  },
  sharing: async (form) => {
    await form.send(snapshot(shareView()));
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
  },
  leaving: async (form) => {
    await form.send(snapshot(leaveView()));
    await form.page.locator('[data-act=decide]').click();
    await settle(form.page);
  },
  rotating: async (form) => {
    await form.send(snapshot(keysView()));
    await form.page.locator('[data-act=rotate]').click();
    await settle(form.page);
  },
  takingOut: async (form) => {
    await form.send(snapshot(keysView()));
    await form.page.locator('[data-act=take-out]').click();
    await settle(form.page);
  },
  makingRoot: async (form) => {
    await form.send(states['keysOnlyRoot']!());
    await form.page.locator('[data-act=make-root]').click();
    await settle(form.page);
  },
  pastingNothing: async (form) => {
    await form.send(snapshot(keysView()));
    await form.page.locator('[data-act=look]').click();
  },
  policyShared: async (form) => {
    const lease = { seconds: 60, strictGlobs: ['payments/**', 'src/auth'] };
    await form.send(snapshot(policyView({}, { lease }, true)));
    await openAdvanced(form.page);
  },
  policyManaged: (form) => form.send(snapshot(policyView({ nameIsManaged: true }))),
  restoring: async (form) => {
    await form.send(snapshot(recoveryView));
    await form.page.locator('[data-act=choose-restore]').click();
  },
  startingAnew: async (form) => {
    await form.send(snapshot(recoveryView));
    await form.page.locator('[data-act=choose-startAnew]').click();
    await settle(form.page);
    await form.page.locator('[data-act=recover]').click();
  },
};
