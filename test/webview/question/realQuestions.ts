/** Questions as agents ask them: the three of the sample project, and seventeen from other work. */
import type { Choice } from '../../../src/ui/answer/together.ts';
import type { QuestionForm } from '../../../src/ui/answer/question.ts';
import { approval, asynchronous, full, plain } from './samples.ts';

function choices(...all: readonly (string | readonly [label: string, description: string])[]): Choice[] {
  return all.map((one, index) =>
    typeof one === 'string'
      ? { label: one, recommended: index === 0 }
      : { label: one[0], description: one[1], recommended: index === 0 },
  );
}

/** A decision with all its context, about something else. */
function decision(text: string, offered: Choice[], change: Partial<QuestionForm> = {}): QuestionForm {
  return full({ text, choices: offered, ...change });
}

const questions: readonly QuestionForm[] = [
  decision(
    'Should API tokens be JWTs or server-side sessions?',
    choices(
      ['Sessions', 'a table look-up for each request, and one delete revokes it'],
      ['JWT', 'signed and stateless; a stolen one is good until it runs out'],
    ),
    {
      background: 'Partners call us about 40 times a second. Two of them must be able to revoke access at once.',
      impact: 'The dashboard and the webhooks are built on whatever this is.',
      ifDelayed: 'API tokens come a day later for each day this waits.',
    },
  ),
  asynchronous({
    urgency: 'medium',
    text: 'For how many days do we keep entries of the audit log?',
    assumption: {
      text: '30 days',
      answer: 'Yes: 30 days',
      touched: { byAgent: [], inWork: [{ path: 'config/audit.json', exists: true }] },
    },
  }),
  approval({
    text: 'May I drop the table legacy_tokens?',
    background: 'No read in 90 days. The last back-up is from last night.',
    impact: 'A dropped table comes back only from a back-up.',
  }),
  decision(
    'The checkout test fails since the payment SDK 4.2. Pin 4.1, port to the new API, or skip the test for now?',
    choices(
      ['Pin 4.1', 'works today; security fixes of 4.x stop in March'],
      ['Port to 4.2', 'about 14 call sites, two of them in code that I have not seen before'],
      ['Skip the test', 'the release goes out without a test of refunds'],
    ),
  ),
  decision(
    'Which database should the reporting service read from?',
    choices(
      ['Read replica', 'up to 4 s behind; no load on the primary'],
      ['Primary', 'always current; the nightly report takes 6 minutes'],
      ['A copy in ClickHouse', 'fast, and one more thing to run'],
      ['Parquet files in S3', 'cheapest; hourly at best'],
      ['Leave it to the platform team', 'they plan a warehouse for next quarter'],
    ),
  ),
  approval({
    text: 'May I force-push `release/2.4`? The last three commits contain the customer export by mistake, and CI publishes that branch.',
  }),
  decision(
    'The ticket says “users can undo”. How far back should undo reach in the editor?',
    choices('One step', 'Until the last save', 'The whole session', 'Across sessions', 'Not in this release'),
    { urgency: 'medium' },
  ),
  plain({
    kind: 'clarification',
    text: 'The invoice for Swiss customers needs a VAT number. Which of the two in the finance wiki is the right one, CHE-116.281.710 or CHE-107.787.577?',
  }),
  decision(
    'Two migrations have the number 0042 after the merge. Renumber mine, or the one from main?',
    choices(
      ['Mine', 'nothing has run it yet'],
      ['The one from main', 'staging has run it: its table of versions must be edited'],
    ),
    { urgency: 'critical', secondStep: true },
  ),
  plain({
    kind: 'clarification',
    urgency: 'high',
    text: 'I cannot reach the staging cluster: the kubeconfig in `deploy/` has expired. Who can renew it, or should I continue without the smoke tests?',
  }),
  decision(
    'Rate limiting: per token or per account?',
    choices(
      ['Per account', 'fair to those with many tokens; one script of a customer can stop their whole company'],
      ['Per token', 'simple; a customer gets more by making more tokens'],
    ),
  ),
  decision(
    'May the importer delete rows that are gone from the source file, or should it only mark them as archived?',
    choices('Mark as archived', 'Delete', 'Ask at each import'),
    { background: 'The old importer deleted them. Support restored rows for customers four times last year.' },
  ),
  asynchronous({
    text: 'The design shows dates as 3 Nov, the API returns ISO. I format them in the browser with the user’s locale. Right?',
    assumption: {
      text: 'in the browser, with the locale of the browser',
      answer: 'Yes: in the browser, with the locale of the browser',
      touched: { byAgent: [], inWork: null },
    },
    assumptions: { key: 'w1/assumptions/', count: 4 },
  }),
  approval({
    text: 'May I rotate the production API key of the payment gateway?',
    background: 'The old one was printed in a build log that 40 people can read.',
    impact: 'Requests that use the old key fail from that moment; two services must be restarted.',
    ifDelayed: 'The key stays readable in the log.',
  }),
  approval({
    urgency: 'high',
    secondStep: false,
    text: 'May I add the dependency `zod` 4.1 (MIT, no dependencies) to the API package?',
    impact: 'One more package to keep current.',
  }),
  decision(
    'The nightly export takes 50 minutes, and the window is 45. What should give way?',
    choices(
      ['Fewer columns', 'drops the three that no report reads'],
      ['Two runs', 'customers A to M at 01:00, the rest at 02:00'],
      ['A later start of the day', 'support begins at 08:30 instead of 08:00'],
    ),
    { background: 'It grew by 3 minutes a month since May.', impact: 'The morning report shows what the export has.' },
  ),
  plain({
    kind: 'clarification',
    text: 'In the ticket “archive” and “delete” are used for the same button. Which one do users see?',
    background: 'The help pages say “archive” 14 times and “delete” twice.',
  }),
  decision('Which of the two login pages stays?', choices('The one in the app', 'The one of the website'), {
    urgency: 'medium',
    background: 'Both set the same cookie; the texts differ in four languages.',
  }),
  asynchronous({
    urgency: 'high',
    text: 'How many times does the importer try again when the supplier’s server does not answer?',
    assumption: {
      text: '3 times, one minute apart',
      answer: 'Yes: 3 times, one minute apart',
      touched: { byAgent: [{ path: 'src/import/retry.ts', exists: true }], inWork: null },
    },
  }),
  decision(
    'Three tests fail only on Windows since the last merge. Fix them now, or mark them and go on with the feature?',
    choices(
      ['Fix them now', 'half a day; the cause is probably the line endings of the fixtures'],
      ['Mark them', 'the feature is ready today; Windows is untested until then'],
    ),
    { urgency: 'critical', secondStep: true, background: 'CI has been red on Windows for two days.' },
  ),
];

export const realQuestions: readonly QuestionForm[] = questions.map((view, index) => ({
  ...view,
  ...{ id: `Q-${index + 1}`, key: `w1/Q-${index + 1}`, shown: `sha256-q${index + 1}` },
}));
