/** What a person may see: each state of the view, and those one reaches only by doing something. */
import type { Snapshot } from '../../../src/ui/answer/form.ts';
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
import { choose, click, fill, keys, press, radio, ready, scene, shown, unfoldAll } from '../steps.ts';
import { togetherView } from './alike.ts';
import { assumptionsView } from './assumed.ts';

type Scene = (form: Form) => Promise<void>;
type View = Snapshot['view'];

/** A view, and what a person does there. */
const on = (view: () => View, ...steps: Parameters<typeof scene>[1][]): Scene =>
  scene(() => snapshot(view()), ...steps);
/** A view that is only looked at. */
const show =
  (view: () => View, more: Partial<Snapshot> = {}): Scene =>
  (form) =>
    form.show(snapshot(view(), more));
const write = (text: string) => fill('#text', text);
const ways = ({ page }: Pick<Form, 'page'>) => openWays(page);
const advanced = ({ page }: Pick<Form, 'page'>) => openAdvanced(page);
const decided = [press('decide'), ready];
/** The form scrolls to the step: nothing else is pointed at. */
const pointNowhere = ({ page }: Pick<Form, 'page'>) => page.mouse.move(0, 0);

const settingsSections: Snapshot['sections'] = [
  { name: 'policy', key: 'w1/policy', current: true },
  { name: 'keys', key: 'w1/keys', current: false },
  { name: 'appoint', key: 'w1/responsibilities', current: false },
  { name: 'ask', key: 'w1/newRequest', current: false },
];

const inHalfAMinute = new Date(Date.parse(now) + 30_000).toISOString();

/** The fourth of twelve, after a decision that can still be taken back. */
const queue: NonNullable<Snapshot['queue']> = {
  run: { index: 4, of: 12, done: 3 },
  held: [
    { act: 'a-3', key: 'w1/Q-11', how: 'answer', said: 'Opaque tokens, hashed in Postgres', until: inHalfAMinute },
  ],
};

const outage = { state: 'offline', since: before(6) } as const;

const agents = [{ agent: 'builder-001', what: 'API tokens', since: before(1) }];

export const scenes: Record<string, Scene> = {
  heldChanges: show(() => full({ changes: heldChanges })),
  outage: show(() => full(), { outage }),
  outageUnknown: show(() => full(), { outage: { ...outage, state: 'unknown', why: 'lease', folder: 'payments' } }),
  ...shown(states),
  policyRules: async (form) => {
    const rules = [
      { globs: ['payments/**'], people: ['Ada Lovelace', 'Grace Hopper', 'Linus'], count: 2 },
      { urgencies: ['critical' as const], types: ['approval' as const], people: ['Grace Hopper'], count: 1 },
    ];
    await form.send(snapshot(policyView({}, { quorum: { rules } }), { tab: true, sections: settingsSections }));
    await form.page.locator('[data-act=add-rules]').scrollIntoViewIfNeeded();
  },
  picked: on(full, keys('2'), write('Mobile clients keep their tokens anyway.')),
  unfolded: on(full, unfoldAll),
  asyncUnfolded: on(asynchronous, unfoldAll),
  inTab: show(full, { tab: true }),
  queue: show(full, { tab: true, queue: { ...queue, held: [] } }),
  queueUndo: show(full, { tab: true, queue }),
  undo: show(() => full({ key: 'w1/Q-11', id: 'Q-11' }), { queue: { held: queue.held } }),
  undoOther: show(full, { queue: { held: queue.held } }),
  queueText: show(plain, { tab: true, queue: { ...queue, held: [] } }),
  queueConfirm: scene(
    () => snapshot(full({ urgency: 'critical', secondStep: true }), { tab: true, queue }),
    ({ page }) => readAll(page),
    keys('1', 'Control+Enter'),
  ),
  queueRequest: show(requestView, { tab: true, queue }),
  queueEnd: show(
    () => ({
      ...{ type: 'nothing', proposals: [] },
      left: [
        { key: 'w1/Q-7', id: 'Q-7', title: 'The invoice for Swiss customers needs a VAT number. Which of the two?' },
        { key: 'w1/R-4', id: 'R-4', title: 'Request R-4' },
      ],
      rfcs: [{ key: 'w1/RFC-1', id: 'RFC-1', title: 'Token storage and revocation' }],
      agents,
    }),
    { tab: true, queue: { run: { of: 12, done: 10 }, held: queue.held } },
  ),
  queueDone: show(() => ({ type: 'nothing', left: [], rfcs: [], proposals: [], agents }), {
    ...{ tab: true, queue: { run: { of: 12, done: 12 }, held: [] } },
  }),
  settings: show(policyView, { tab: true, sections: settingsSections }),
  devices: show(keysView, {
    tab: true,
    sections: settingsSections.slice(0, 2).map((one) => ({ ...one, current: one.name === 'keys' })),
  }),
  byKeyboard: scene(() => snapshot(full(), { focus: 'opened' }), keys('ArrowDown')),
  many: on(() => {
    const files = Array.from({ length: 40 }, (_, index) => ({ path: `src/generated/part${index}.ts`, exists: true }));
    const work = files.map((_, index) => ({ id: `t-${index}`, title: `Part ${index}` }));
    const blocks = {
      work,
      cascade: { count: 900, named: [] },
      files: files.map(({ path }) => path),
      wholeSession: true,
    };
    return full({ files, blocks, text: 'May I delete the generated parts? '.repeat(40) });
  }),
  linkFocused: on(plain, write('UTC, always.'), keys('Tab', 'Tab')),
  requestDeferring: on(requestView, radio('Defer'), write('After the release.'), keys('Control+Enter')),
  requestRejecting: on(
    () => requestView({ payload: '{\n  "ticket": "OPS-12",\n  "labels": ["tls"]\n}' }),
    click('details:has(pre) > summary'),
    radio('Reject'),
    keys('Control+Enter'),
  ),
  askPassingOn: on(
    askView,
    choose('#origin', 'jane@shop'),
    choose('#target', 'backend'),
    radio('New context is available'),
    choose('#ingestion', 'R-4'),
    fill('#subject', 'Prices changed in February'),
    keys('Control+Enter'),
  ),
  askMore: on(
    askView,
    choose('#origin', 'ada@shop'),
    choose('#target', 'backend'),
    fill('#subject', 'Renew the certificate of the payment gateway'),
    fill('#summary', 'It ends on **4 March**.'),
    click('summary'),
    fill('#suggested', 'Sign in to the registrar\nUpload the new key'),
    fill('#respond', 'soon'),
    keys('Control+Enter'),
  ),
  appointConfirm: on(
    appointView,
    radio('A steward'),
    fill('#id', 'mary@shop'),
    fill('#called', 'Mary'),
    fill('#agents', 'mary-001, mary-002'),
    keys('Control+Enter'),
  ),
  revoking: on(givenAgain, press('revoke'), write('The gateway wants stateless tokens now.')),
  holdingAll: on(full, ways, press('open-holdAll'), pointNowhere),
  holdingAllFirstUse: on(
    () => plain({ answersAs: { name: 'ada', editable: true } }),
    ways,
    press('open-holdAll'),
    pointNowhere,
  ),
  holdingNamed: on(widened, ways, press('open-holdNamed'), pointNowhere),
  refusing: on(approval, keys('2'), write('Not before the backup was tested.')),
  stopping: on(approval, keys('3'), write('We keep the old sessions.')),
  meaningNo: on(full, keys('4'), write('Leave the tokens alone.')),
  lifting: on(refusedView, press('lift'), write('The backup was tested this morning.')),
  liftingConfirm: on(refusedView, press('lift'), write('The backup was tested this morning.'), ...decided),
  askingBack: on(full, ways, press('askBack'), write('How many clients would have to change?')),
  askingBackWide: async (form) => {
    await form.page.setViewportSize({ width: 520, height: 600 });
    await form.send(snapshot(full()));
  },
  // Where a view has no room for all that decides, the thread is in the tab.
  repliedUnfolded: scene(states['repliedTwice']!, ({ page }) =>
    page.locator('.thread summary').first().dispatchEvent('click'),
  ),
  phone: scene(states['keysPhone']!, click('.part > summary')),
  noPhone: scene(states['keysPasskeys']!, click('.part > summary')),
  parkedUnfolded: scene(states['parked']!, click('[data-part=parked] summary')),
  releasing: on(full, ways, press('release')),
  cancelling: on(plain, ways, press('cancel'), write('We dropped nightly exports.')),
  missing: on(full, ({ page }) => readAll(page), press('decide')),
  tooLong: on(plain, write('word '.repeat(1_020).trim()), press('decide')),
  secondStep: on(approval, ({ page }) => readAll(page), keys('1'), write('The backup was tested.'), ...decided),
  sending: on(plain, write('UTC, always.'), press('decide'), ({ page }) => page.locator('.sending').waitFor()),
  refused: async (form) => {
    await on(plain, write('UTC, always.'), press('decide'))(form);
    const act = (await form.posted()).find((message) => message.type === 'answer')?.act ?? '';
    const text = 'Your answer was not stored: the disk is full. Free some space and answer again.';
    await form.send(snapshot(plain(), { outcome: { type: 'refused', act, reason: 'failed', text } }));
  },
  overtaken: async (form) => {
    await on(full, keys('1'), write('We run Redis from next week on anyway.'))(form);
    await form.send(states['somebodyElse']!());
  },
  policyWrong: on(policyView, fill('#wait-critical', '0'), press('decide')),
  policyTools: on(
    () => policyView({}, { hooks: { readOnlyTools: ['docs/search', 'github/get_pull_request'] } }),
    advanced,
  ),
  policyInterruptions: on(() => {
    const urgencies = { critical: 'now', high: 'now', medium: 'now', low: 'silent' } as const;
    const agents = [
      { agent: 'build-bot', how: 'silent' as const },
      { agent: 'copilot-001', urgencies: ['critical' as const], how: 'now' as const },
    ];
    return policyView({}, { interruptions: { urgencies, agents, digestMinutes: 30, perHour: 6 } });
  }, advanced),
  policySearch: on(policyView, advanced, ({ page }) => page.getByRole('searchbox').fill('agents')),
  policyReminders: on(policyView, fill('#remind-medium', '1441'), press('decide')),
  policySecondStep: on(
    policyView,
    fill('#wait-critical', '72'),
    ({ page }) => page.getByText('It becomes critical').click(),
    ...decided,
  ),
  policySaved: async (form) => {
    await on(policyView, fill('#wait-critical', '72'), ...decided, press('confirm'))(form);
    const act = (await form.posted()).find((message) => message.type === 'policy')?.act ?? '';
    const outcome = { type: 'done', act, text: 'Saved. It is in force.' } as const;
    await form.send(snapshot(policyView({ shown: 'sha256-after' }, { questionLife: life(72) }), { outcome }));
  },
  assumptions: on(assumptionsView),
  assumptionsFirst: on(() =>
    assumptionsView({ agent: 'copilot-001', more: 3, answersAs: { name: 'ada', editable: true }, folder: 'shop' }),
  ),
  assumptionsSecondStep: on(assumptionsView, ({ page }) => page.locator('.assumed input').nth(2).click(), ...decided),
  together: on(togetherView),
  togetherNo: on(
    () => togetherView({ folder: 'shop', more: 2, answersAs: { name: 'ada', editable: true } }),
    click('#together-1'),
  ),
  togetherBrowser: on(() => togetherView({ inBrowser: remoteWords })),
  togetherLink: show(() => full({ together: { key: 'w1/together/Q-12', count: 8 } })),
  assumptionsLink: show(() => asynchronous({ assumptions: { key: 'w1/assumptions/', count: 4 } })),
  releasingAll: on(releaseAllView, write('Use your judgement, and write down what you chose.'), ...decided),
  deletingWork: on(workView, ...decided),
  losing: on(
    () => enrolView({ remote: remoteWords }),
    click('fieldset label:has-text("Ada Lovelace")'),
    press('decide'),
    ready,
  ),
  sharing: on(shareView, ...decided),
  leaving: on(leaveView, ...decided),
  rotating: on(keysView, press('rotate'), ready),
  renaming: on(keysView, press('rename'), ready),
  takingOut: on(keysView, press('take-out'), ready),
  makingRoot: scene(states['keysOnlyRoot']!, press('make-root'), ready),
  pastingNothing: on(keysView, press('look')),
  policyShared: on(() => {
    const lease = { seconds: 60, strictGlobs: ['payments/**', 'src/auth'] };
    return policyView({}, { lease }, true);
  }, advanced),
  restoring: on(() => recoveryView, press('choose-restore')),
  startingAnew: on(() => recoveryView, press('choose-startAnew'), ready, press('recover')),
};
