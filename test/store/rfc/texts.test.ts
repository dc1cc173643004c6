/** The texts of an RFC for agents and readers, word for word. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { decideQuestion, shownHash } from '../../../src/app/decision/decisions.ts';
import { reviewRfc } from '../../../src/app/rfc/review.ts';
import { decideRfc, gapWords, shownRfcHash, type RfcVerdict } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { rfcView } from '../../../src/app/rfc/views.ts';
import { rfcOutcomeOf } from '../../../src/tools/kit/outcome.ts';
import { readerOf } from '../../../src/tools/kit/reader.ts';
import { rfcInFull, rfcText } from '../../../src/tools/rfc/texts.ts';
import { remark } from '../../support/store/rfcRecords.ts';
import { agent, signedBy, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const none = { workflows: [], tasks: [], holds: [], contexts: [], submit: true };
const prompt = { name: 'rfc-review', version: '1', body: '{{document}}' };

describe('the text of an RFC', () => {
  afterEach(removeSandboxes);

  async function scene() {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const human = enrolledHuman(workspace);
    const view = (id = 'RFC-1') => rfcView(store.read(), id)!;
    const decide = async (id: string, verdict: RfcVerdict) => {
      const { state } = store.read();
      return decideRfc(signedBy(store, human), id, verdict, shownRfcHash(state, state.rfcs.get(id)!));
    };
    const reader = readerOf({ workspace, session: agent() });
    return { workspace, store, human, view, decide, reader };
  }

  const design = {
    ...none,
    title: 'Signed tokens',
    sections: [
      { key: 'summary', heading: 'In short', text: 'Use tokens.' },
      { key: 'other', heading: 'Security', text: 'Rotate\nkeys.' },
    ] as const,
    alternatives: [
      { name: 'Sessions', description: 'As now.', pros: ['Known'], cons: ['Slow', 'Local'], effortEstimate: '1 day' },
      { name: 'Nothing', pros: [], cons: [] },
    ],
    questions: ['Who?', 'How long?', 'Why?', 'When?'].map((text, index) => ({
      text,
      answered: index === 3,
      ...(index === 3 ? { answer: 'Soon.' } : {}),
    })),
  };

  it('contains sections, alternatives, questions with the author of each answer, and open feedback', async () => {
    const { store, human, view, reader } = await scene();
    await proposeRfc(store, agent(), design);
    await reviewRfc(store, 'RFC-1', {
      model: 'One',
      prompts: { review: prompt, followUp: prompt, repair: prompt },
      maxIterations: 5,
      callMs: 60_000,
      newId: randomUUID,
      signal: new AbortController().signal,
      askModel(text) {
        assert.match(
          text,
          /## Alternatives\n\n### Sessions\n\nAs now\.\n\nFor:\n\n- Known\n\nAgainst:\n\n- Slow\n- Local\n\nEffort: 1 day\n\n### Nothing/,
        );
        return Promise.resolve(
          JSON.stringify({
            verdict: 'approve',
            answers: [
              { question: 1, outcome: 'human_required' },
              { question: 2, outcome: 'answered', answer: 'An hour.', evidence: ['Usual'] },
              { question: 3, outcome: 'human_required' },
            ],
            feedback: [{ section: 'security', type: 'suggestion', text: 'Say how often.' }],
          }),
        );
      },
    });
    const { state } = store.read();
    const shown = shownHash(state, state.questions.get('Q-1')!);
    await decideQuestion(
      signedBy(store, human),
      'Q-1',
      { kind: 'answer', answer: { text: 'We.', choices: [] } },
      shown,
    );
    await remark(store, { kind: 'human', id: 'ada' }, { thread: 2, type: 'question', text: 'Sure?' });
    assert.deepEqual(rfcInFull(view(), reader).split('\n'), [
      'RFC-1 "Signed tokens" is under review. Proposed by copilot-001, 2026-03-02 09:00 UTC.',
      'RFC-1 "Signed tokens" waits for a human (less than 1 min). Call holdpoint_await_answer {"id":"RFC-1"}, or take other work: holdpoint_check_gate shows what is free.',
      'Before it can be approved: blocking thread 2 and question 3 for a human.',
      'The text below is revision 1 of 1.',
      '## In short',
      'Use tokens.',
      '## Security',
      'Rotate',
      'keys.',
      '## Alternatives',
      ...['### Sessions', '', 'As now.', '', 'For:', '', '- Known', '', 'Against:', '', '- Slow', '- Local', ''],
      ...['Effort: 1 day', '', '### Nothing'],
      '## Revisions',
      '1. by copilot-001, 2026-03-02 09:00 UTC',
      '## Open questions',
      '1. Who? (Q-1, answered by Ada) "We."',
      '2. How long? (answered by the reviewer, a language model; a human can reject it) "An hour."',
      '3. Why? (waits for a human: Q-2)',
      '4. When? (answered by its author) "Soon."',
      '## Feedback',
      'Thread 1 (suggestion, reviewer, on Security): Say how often.',
      'Thread 2 (blocking question, ada, not signed): Sure?',
    ]);
    const rfc = store.read().state.rfcs.get('RFC-1')!;
    assert.equal(
      gapWords(store.read().state, rfc),
      'RFC-1 cannot be approved yet: 1 blocking thread and 1 question for a human open',
    );
  });

  it('stays that of the approved revision, with its terms, when an amendment is rejected', async () => {
    const { store, view, decide, reader } = await scene();
    const summary = (text: string) => [{ key: 'summary', heading: 'Summary', text }] as const;
    await proposeRfc(store, agent(), {
      ...none,
      title: 'First',
      sections: summary('Sign them.'),
      questions: [{ text: 'Who?', answered: true, answer: 'We.' }],
    });
    await decide('RFC-1', { kind: 'approve', conditions: ['Log it!'], constraints: ['No passwords.'] });
    assert.match(rfcInFull(view(), reader), /^The text below is revision 1 of 1, which is in force\.$/m);
    await updateRfc(store, agent(), 'RFC-1', {
      document: {
        title: 'Second',
        sections: summary('Do not sign.'),
        questions: [{ text: 'Why?', answered: false }],
      },
    });
    const amended = rfcInFull(view(), reader);
    assert.match(amended, /^The text below is revision 2 of 2, an amendment that is not approved\.$/m);
    assert.match(amended, /^In force: revision 1, .* Conditions: "Log it!" Constraints: "No passwords\."$/m);
    assert.match(amended, /Do not sign/);
    await decide('RFC-1', { kind: 'reject', reason: 'No', then: 'another_way' });
    assert.equal(rfcOutcomeOf(view(), reader).result, 'refused', 'who waits for the amendment gets no yes');
    const rejected = rfcInFull(view(), reader);
    assert.match(rejected, /^RFC-1 "First" is approved\./);
    assert.match(rejected, /^The text below is revision 1 of 2, which is in force\.$/m);
    assert.match(rejected, /In force: revision 1, .* Conditions: "Log it!" Constraints: "No passwords\."/);
    assert.match(rejected, /^Sign them\.$/m);
    assert.match(rejected, /^1\. Who\? \(answered by its author\) "We\."$/m);
    assert.doesNotMatch(rejected, /Do not|Why\?/);
    const { sections, text_revision: shown, revision, last_decision: last } = view();
    assert.deepEqual([shown, revision, last?.action, last?.amendment], [1, 2, 'rejected', true]);
    assert.deepEqual(
      sections.map(({ text, changed_in }) => [text, changed_in]),
      [['Sign them.', 1]],
    );

    await updateRfc(store, agent(), 'RFC-1', { implemented: true });
    assert.match(
      rfcText(view(), reader),
      /^The amendment of RFC-1 "First", revision 2, was rejected by Ada, .*: "No"\. In force: revision 1, .* Conditions: "Log it!" Constraints: "No passwords\." It is implemented\.$/,
    );
    assert.doesNotMatch(rfcInFull(view(), reader), /Do not/);
    assert.deepEqual(rfcOutcomeOf(view(), reader), {
      result: 'proceed',
      outcome: 'approved',
      effect: 'proceed',
      approved: true,
    });
  });
});
