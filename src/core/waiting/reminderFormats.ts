/**
 * The bodies of webhooks. Each shows a text and a link that opens the form; none has a button that decides. Texts of agents
 * go only where the receiver interprets no markup: Slack's `plain_text`, and text runs of adaptive cards.
 */
import type { WebhookFormat } from './reminderSettings.ts';
import type { Reminder } from './reminderSchedule.ts';
import { plural } from '../kit/text.ts';

export interface ReminderMessage {
  /** The most pressing first; more than one if many became due at once. */
  readonly reminders: readonly Reminder[];
  /** Name and id of the workspace. */
  readonly project: string;
  readonly workspace: string;
  /** Opens the form of the first. */
  readonly link: string;
  readonly isTest?: boolean;
}

export function messageText({ reminders, project, isTest }: ReminderMessage): string {
  if (isTest) return 'Holdpoint: this is a test. Reminders arrive here.';
  const [first] = reminders;
  if (!first) return project;
  const line = `${heading(first)} ${first.title}`;
  return reminders.length === 1 ? line : `${countText(reminders, first)} First: ${line}`;
}

function countText(reminders: readonly Reminder[], { askedBy }: Reminder): string {
  const count = String(reminders.length);
  const isOfOne = reminders.every((one) => one.askedBy === askedBy && one.id.startsWith('Q-'));
  return isOfOne ? `${count} questions from ${askedBy}.` : `${count} items are waiting for you.`;
}

const occasions = {
  reminder: 'Still waiting',
  escalated: 'Not answered in time, now critical',
  expiring: 'Expires soon',
  expired: 'Expired without an answer',
  overdue: 'Not answered or done in time',
  changed: 'Held files were changed',
} as const;

function heading({ kind, id, askedBy, holds }: Reminder): string {
  const held = holds === 0 ? '' : ` (blocks ${plural(holds, 'item')})`;
  if (kind === 'new') return `${askedBy} asks ${id}${held}:`;
  if (kind === 'replied') return `${askedBy} replied about ${id}${held}:`;
  return `${occasions[kind]}, ${id} of ${askedBy}${held}:`;
}

export function webhookBody(format: WebhookFormat, message: ReminderMessage): object {
  return { json: jsonBody, slack: slackBody, teams: teamsBody }[format](message);
}

function jsonBody(message: ReminderMessage): object {
  const { reminders, project, workspace, link, isTest = false } = message;
  return {
    ...{ schema: 'holdpoint/reminder/1', test: isTest, text: messageText(message), project, workspace, link },
    items: reminders.map(({ id, kind, urgency, title, askedBy, waitingSince, expiresAt, holds }) => ({
      ...{ id, kind, urgency, title, asked_by: askedBy, waiting_since: waitingSince, expires_at: expiresAt, holds },
    })),
  };
}

/** https://docs.slack.dev/messaging/formatting-message-text: these three are the control characters. */
function slackEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function slackBody(message: ReminderMessage): object {
  const plainText = (text: string) => ({ type: 'plain_text', text: slackEscaped(text), emoji: false });
  return {
    // For notifications and screen readers.
    text: slackEscaped(messageText(message)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: plainText(messageText(message)) },
      { type: 'context', elements: [plainText(message.project)] },
      { type: 'section', text: { type: 'mrkdwn', text: `<${slackEscaped(message.link)}|Open>`, verbatim: true } },
    ],
  };
}

/** A text run interprets no Markdown; `{{DATE(…)}}` is the one function that cards replace in texts. */
function cardText(text: string): string {
  return text.replaceAll('{{', '{ {');
}

function teamsBody(message: ReminderMessage): object {
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text: cardText(text), ...more });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'RichTextBlock', inlines: [run(messageText(message), { weight: 'Bolder' })] },
            { type: 'RichTextBlock', inlines: [run(message.project, { isSubtle: true })] },
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: message.link }],
        },
      },
    ],
  };
}

/** Environment variables of a user's command. The values are data: no shell reads them. */
export function commandEnvironment(message: ReminderMessage): Readonly<Record<string, string>> {
  const [first] = message.reminders;
  return {
    HOLDPOINT_TEXT: messageText(message),
    HOLDPOINT_LINK: message.link,
    HOLDPOINT_PROJECT: message.project,
    HOLDPOINT_COUNT: String(message.reminders.length),
    HOLDPOINT_ID: first?.id ?? '',
    HOLDPOINT_KIND: message.isTest ? 'test' : (first?.kind ?? ''),
    HOLDPOINT_URGENCY: first?.urgency ?? '',
    HOLDPOINT_TITLE: first?.title ?? '',
  };
}
