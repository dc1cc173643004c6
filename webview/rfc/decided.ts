/** The decision, in the bar: by whom, when, and with which conditions. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Decided, RfcView } from '../../src/ui/rfc/model.ts';
import { icon } from '../shared/icons.ts';
import type { IconName } from '../shared/icons.ts';
import { passkeyLine } from '../shared/inBrowser.ts';
import { fill, t, th } from '../shared/strings.ts';
import { ago, between, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { personName } from './people.ts';

const looks: Record<Decided['type'], IconName> = {
  approved: 'pass',
  changesRequested: 'edit',
  rejected: 'circle-slash',
  amendmentRejected: 'circle-slash',
  withdrawn: 'close',
};

const lines: Record<Exclude<Decided['type'], 'approved'>, string> = {
  changesRequested: t('{who} requested changes {time}'),
  rejected: t('{who} rejected it {time}'),
  amendmentRejected: t('{who} rejected the amendment {time}'),
  withdrawn: t('{who} withdrew it {time}'),
};

export function decided(view: RfcView, one: Decided): TemplateResult {
  const time = timeTag(one.at, ago(one.at));
  const who = personName(one.by);
  const line =
    one.type === 'approved'
      ? th('{who} approved revision {n} ({hash}) {time}', {
          who,
          time,
          n: one.revision,
          hash: html`<code>${visible(one.hash)}</code>`,
        })
      : fill(lines[one.type], { who, time });
  return html`<div class="decided decided-${one.type}" data-focus="decided" tabindex="-1">
    <p class="decided-line">${icon(looks[one.type])}<span>${line}${received(view, one)}</span></p>
    ${passkeyLine(one.passkey)} ${more(one)}
  </div>`;
}

/** Whether the agent has received the decision. */
function received({ received: now }: RfcView, { at }: Decided): unknown {
  if (!now) return nothing;
  const agent = html`<bdi>${visible(now.agent)}</bdi>`;
  const words =
    now.at === undefined
      ? th('Waiting for {agent} to pick it up', { agent })
      : th('{agent} received it {time} later', { agent, time: timeTag(now.at, between(at, now.at)) });
  return html` · <span class="quiet" role="status">${words}</span>`;
}

function more(one: Decided): unknown {
  switch (one.type) {
    case 'approved':
      return termsOf(one);
    case 'rejected':
      return html`<blockquote class="said" dir="auto">${visible(one.reason)}</blockquote>
        <p class="quiet">
          ${one.way === 'stop' ? t('Its work was stopped.') : t('The work may continue with a different approach.')}
        </p>`;
    case 'amendmentRejected':
      return html`<blockquote class="said" dir="auto">${visible(one.reason)}</blockquote>
        <p>
          ${th('Revision {n} ({hash}) stays in force.', { n: one.revision, hash: html`<code>${visible(one.hash)}</code>` })}
        </p>
        ${termsOf(one)}`;
    case 'changesRequested':
      return html`<blockquote class="said" dir="auto">${visible(one.reason)}</blockquote>`;
    case 'withdrawn':
      return one.reason === undefined
        ? nothing
        : html`<blockquote class="said" dir="auto">${visible(one.reason)}</blockquote>`;
  }
}

function termsOf({ conditions, constraints }: { conditions: readonly string[]; constraints: readonly string[] }) {
  return html`${terms(t('Conditions'), conditions)} ${terms(t('Constraints'), constraints)}`;
}

function terms(label: string, all: readonly string[]): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<div class="terms-said">
    <span class="quiet">${label}</span>
    <ul class="list">
      ${all.map((text) => html`<li dir="auto">${visible(text)}</li>`)}
    </ul>
  </div>`;
}
