/** The audit trail: connects the host, the state and the drawing. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { AuditRow, AuditSnapshot, AuditView } from '../../src/ui/dashboard/audit.ts';
import type { AuditFilter, AuditMessage } from '../../src/ui/dashboard/messages.ts';
import {
  button,
  emptyState,
  folderPicker,
  icon,
  link,
  visible,
  visibleText,
  type IconName,
} from '../shared/elements.ts';
import { fill, t, tn } from '../shared/strings.ts';
import { startSurface, unavailable, type Host } from '../shared/surface.ts';
import { ago, timeTag } from '../shared/time.ts';
import '../shared/folderTab.css';
import './audit.css';

// The page's one state: the host's latest snapshot and the filter. Decides nothing.

/** Kept over reloads: the reader's filter. */
interface Saved {
  readonly filter: AuditFilter;
}

const scopes = ['decisions', 'attempts', 'all'] as const satisfies AuditFilter['scope'][];

function parseSaved(value: unknown): Saved | undefined {
  if (typeof value !== 'object' || value === null || !('filter' in value)) return undefined;
  const { filter } = value;
  if (typeof filter !== 'object' || filter === null) return undefined;
  const { scope, text, about } = filter as Readonly<Record<string, unknown>>;
  const known = scopes.find((one) => one === scope);
  if (known === undefined || typeof text !== 'string') return undefined;
  return { filter: { scope: known, text, ...(typeof about === 'string' ? { about } : {}) } };
}

const typingMs = 200;

type Page = ReturnType<typeof createPage>;

function createPage({ host, changed }: { host: Host<AuditMessage, Saved>; changed: () => void }) {
  let snapshot: AuditSnapshot | undefined;
  const restored = host.restore();
  let filter: AuditFilter = restored?.filter ?? { scope: 'decisions', text: '' };
  let timer: ReturnType<typeof setTimeout> | undefined;

  function apply(next: AuditFilter): void {
    filter = next;
    host.save({ filter });
    clearTimeout(timer);
    host.post({ type: 'filter', filter });
    changed();
  }

  return {
    begin: (): void => {
      host.post({ type: 'ready', ...(restored ? { filter } : {}) });
    },
    receive: (next: AuditSnapshot): void => {
      snapshot = next;
      changed();
    },
    snapshot: () => snapshot,
    filter: () => filter,
    dispatch: (message: AuditMessage): void => {
      host.post(message);
    },
    show: (scope: AuditFilter['scope']): void => {
      apply({ ...filter, scope });
    },
    /** Filters by one item, with all kinds of acts, or shows all items. */
    only: (about?: string): void => {
      apply(about === undefined ? { scope: filter.scope, text: filter.text } : { scope: 'all', text: '', about });
    },
    search: (text: string): void => {
      filter = { ...filter, text };
      clearTimeout(timer);
      timer = setTimeout(() => {
        apply(filter);
      }, typingMs);
    },
  };
}

// What somebody did, by the kind of a record, such as "{who} answered {item}".

const didWords = {
  'workspace.created': t('{who} created {item}'),
  'format.changed': t('{who} changed the format of {item}'),
  'segment.sealed': t('{who} started a new file of {item}'),
  'import.begun': t('{who} began to import into {item}'),
  'import.rows': t('{who} imported a part into {item}'),
  'import.ended': t('{who} imported into {item}'),
  'import.abandoned': t('{who} abandoned an import into {item}'),
  'agent.registered': t('{who} registered as {item}'),
  'work.registered': t('{who} registered {item}'),
  'work.updated': t('{who} updated {item}'),
  'work.deleted': t('{who} deleted {item}'),
  'question.raised': t('{who} asked {item}'),
  'question.widened': t('{who} widened {item}'),
  'question.escalated': t('{who} made {item} critical'),
  'question.expired': t('{who} let {item} expire'),
  'question.withdrawn': t('{who} withdrew {item}'),
  'question.askedBack': t('{who} asked back about {item}'),
  'question.parked': t('{who} parked {item}'),
  'wait.noted': t('{who} began to wait for {item}'),
  'question.replied': t('{who} replied to a person about {item}'),
  'question.askBackOffered': t('{who} received a person’s question about {item}'),
  'question.askBackAcknowledged': t('{who} acknowledged a person’s question about {item}'),
  'question.answered': t('{who} answered {item}'),
  'question.cancelled': t('{who} dismissed {item} as no longer needed'),
  'question.released': t('{who} dismissed {item} without an answer'),
  'outcome.offered': t('{who} received the outcome of {item}'),
  'outcome.acknowledged': t('{who} acknowledged the outcome of {item}'),
  'answer.reused': t('{who} reused the answer to {item}'),
  'answer.revoked': t('{who} stopped the reuse of the answer to {item}'),
  'refusal.lifted': t('{who} lifted the refusal of {item}'),
  'hold.widened': t('{who} held every file with {item}'),
  'hold.narrowed': t('{who} limited the hold of {item} to its named files'),
  'hold.baselineTaken': t('{who} noted the held files of {item}'),
  'hold.violated': t('{who} noted changes of files held by {item}'),
  'hold.fileRestored': t('{who} noted that files held by {item} were restored'),
  'hold.changeAccepted': t('{who} accepted changes of files held by {item}'),
  'precedent.set': t('{who} set the former standing answer {item}'),
  'precedent.ended': t('{who} ended the former standing answer {item}'),
  'precedent.used': t('{who} noted a former standing answer for {item}'),
  'precedent.takenBack': t('{who} undid a former standing answer to {item}'),
  'policy.changed': t('{who} changed the {item}'),
  'key.enrolled': t('{who} added another editor to the {item}'),
  'key.lost': t('{who} reported keys of the {item} as lost'),
  'key.rotated': t('{who} replaced a key of the {item}'),
  'key.trusted': t('{who} added a trusted key to the {item}'),
  'key.retired': t('{who} removed a key from the {item}'),
  'key.passkeyAdded': t('{who} added a passkey to the {item}'),
  'key.passkeyRenamed': t('{who} renamed a passkey in the {item}'),
  'store.shared': t('{who} shared the {item} with a team'),
  'store.unshared': t('{who} no longer shares the {item}'),
  'gate.decidedOffline': t('{who} continued without the server of the {item}'),
  'journal.lineSetAside': t('{who} set a damaged line of the {item} aside'),
  'journal.restored': t('{who} restored a copy of the {item}'),
  'journal.startedAnew': t('{who} started over with the {item}'),
  'event.posted': t('{who} recorded {item}'),
  'event.closed': t('{who} closed {item}'),
  'event.closeProposed': t('{who} proposed to close {item}'),
  'event.postedByHuman': t('{who} recorded {item}'),
  'event.closedByHuman': t('{who} closed {item}'),
  'event.proposalDeclined': t('{who} rejected closing {item}'),
  'rfc.proposed': t('{who} proposed {item}'),
  'rfc.revised': t('{who} revised {item}'),
  'rfc.widened': t('{who} widened {item}'),
  'rfc.handedOver': t('{who} handed {item} over'),
  'rfc.addressed': t('{who} addressed {item}'),
  'rfc.submitted': t('{who} submitted {item}'),
  'rfc.feedbackGiven': t('{who} commented on {item}'),
  'rfc.feedbackReplied': t('{who} replied on {item}'),
  'rfc.implemented': t('{who} implemented {item}'),
  'rfc.reviewed': t('{who} reviewed {item}'),
  'rfc.reviewOffered': t('{who} received the AI review of {item}'),
  'rfc.reviewAcknowledged': t('{who} acknowledged the AI review of {item}'),
  'rfc.decisionOffered': t('{who} received the decision on {item}'),
  'rfc.decisionAcknowledged': t('{who} acknowledged the decision on {item}'),
  'rfc.approved': t('{who} approved {item}'),
  'rfc.changesRequested': t('{who} requested changes of {item}'),
  'rfc.rejected': t('{who} rejected {item}'),
  'rfc.withdrawn': t('{who} withdrew {item}'),
  'rfc.commented': t('{who} commented on {item}'),
  'rfc.threadReplied': t('{who} replied on {item}'),
  'rfc.threadResolved': t('{who} resolved a thread of {item}'),
  'rfc.answerOverruled': t('{who} rejected an AI answer of {item}'),
  'responsibility.registered': t('{who} registered {item}'),
  'responsibility.joined': t('{who} opened {item} to others'),
  'request.created': t('{who} requested {item}'),
  'request.moved': t('{who} moved {item}'),
  'request.acknowledged': t('{who} saw {item}'),
  'request.attemptFailed': t('{who} failed at {item}'),
  'request.stepRecorded': t('{who} recorded a step of {item}'),
  'request.workMade': t('{who} created work for {item}'),
  'request.alerted': t('{who} reported {item} as overdue'),
  'request.escalated': t('{who} escalated {item}'),
  'request.reassigned': t('{who} reassigned {item}'),
  'request.refused': t('A change of {item} by {who} was refused'),
  'request.noticeOffered': t('{who} received a notice about {item}'),
  'request.noticeAcknowledged': t('{who} acknowledged a notice about {item}'),
  'responsibility.appointed': t('{who} appointed {item}'),
  'request.createdByHuman': t('{who} requested {item}'),
  'request.movedByHuman': t('{who} moved {item}'),
  'request.stepRecordedByHuman': t('{who} recorded a step of {item}'),
};

// The acts, latest first: who, what, when, and whether each verifies.

const marks: Record<AuditRow['mark'], { readonly icon: IconName; readonly words: string }> = {
  verified: { icon: 'pass', words: t('verified') },
  forged: { icon: 'error', words: t('not verified') },
  refused: { icon: 'circle-slash', words: t('refused') },
  unsigned: { icon: 'circle-outline', words: t('needs no signature') },
};

/** Shows the next page of a long list. */
const step = 200;

function rows(page: Page, view: AuditView): TemplateResult {
  if (view.matching === 0 && view.checked < 100) return html``;
  if (view.matching === 0) {
    const { scope, text } = view.filter;
    const none = view.acts === 0 || (view.decisions === 0 && scope === 'decisions' && text === '');
    return none
      ? emptyState(t('No decisions yet.'), t('Signed decisions appear here, along with any forged ones.'))
      : emptyState(t('No matches.'));
  }
  const left = view.matching - view.rows.length;
  return html`<ol class="acts">
      ${repeat(
        view.rows,
        ({ at, index }) => `${String(at)}/${String(index)}`,
        (row) => act(page, row),
      )}
    </ol>
    ${
      left > 0
        ? html`<p>
            ${link(t('Show {n} more', { n: Math.min(left, step) }), () => page.dispatch({ type: 'more' }), { act: 'more' })}
          </p>`
        : nothing
    }`;
}

function act(page: Page, row: AuditRow): TemplateResult {
  const { mark, time, who, subject, said, why, work, key } = row;
  const others = work.filter(({ id }) => id !== subject);
  return html`<li class="act entry" data-mark=${mark}>
    <p class="act-mark facts">
      <span>${icon(marks[mark].icon, 'inline')}${marks[mark].words}</span>
      <span class="quiet">${timeTag(time, ago(time))}</span>
      ${row.keyOf === undefined ? nothing : html`<span>${t('with the key of {name}', { name: visibleText(row.keyOf) })}</span>`}
      ${row.passkey ? html`<span class="quiet">${t('Signed with a passkey, verified by PIN or fingerprint')}</span>` : nothing}
      ${row.open === undefined ? nothing : html`<span>${opener(page, row.open, subject)}</span>`}
    </p>
    <p class="act-what">
      ${did(row.kind, {
        who: html`<bdi class="act-who">${visible(who)}</bdi>${
            row.unsigned ? html` <span class="quiet">(${t('not signed')})</span>` : nothing
          }`,
        item: onlyButton(page, subject),
      })}${said === undefined ? nothing : html`: <bdi class="act-said">${visible(said)}</bdi>`}
    </p>
    ${row.about === undefined ? nothing : html`<p class="act-about"><bdi>${visible(row.about)}</bdi></p>`}
    ${why === undefined ? nothing : html`<p class="act-why">${t('Why not: {why}', { why: visibleText(why) })}</p>`}
    ${
      others.length === 0
        ? nothing
        : html`<p class="quiet">
            ${t('Concerns')}
            ${others.map(({ id, title = id }, index) => [index === 0 ? '' : ', ', onlyButton(page, id, title)])}
          </p>`
    }
    ${
      key === undefined
        ? nothing
        : html`<details class="quiet small">
            <summary>${t('Signature')}</summary>
            ${t('Key {key}', { key: visibleText(key) })}
          </details>`
    }
  </li>`;
}

/** The sentence of a known kind of record; an unknown kind is shown by name. */
function did(kind: string, parts: { readonly who: TemplateResult; readonly item: TemplateResult }): TemplateResult {
  return Object.hasOwn(didWords, kind)
    ? fill(didWords[kind as keyof typeof didWords], parts)
    : html`${parts.who} <code>${visible(kind)}</code> ${parts.item}`;
}

function opener(page: Page, key: string, subject: string): TemplateResult {
  return link(t('open'), () => page.dispatch({ type: 'open', key }), {
    act: 'open',
    label: t('Open {id}', { id: visibleText(subject) }),
  });
}

function onlyButton(page: Page, id: string, name = id): TemplateResult {
  return link(html`<bdi>${visible(name)}</bdi>`, () => page.only(id), {
    act: 'only',
    title: t('Only {id}', { id: visibleText(id) }),
  });
}

/** The number of matches, for the live region. */
function matching({ matching: n }: AuditView): string {
  return t('{n} found', { n });
}

const scopeWords = {
  decisions: t('Decisions and attempts'),
  attempts: t('Attempts only'),
  all: t('Everything'),
};

function viewOf(page: Page, { view, notice }: AuditSnapshot): TemplateResult {
  if (view.type === 'unavailable') return unavailable(page, view);
  return html`<div class="tab-page">
    <header class="tab-head">
      <h1>${t('Decisions')}</h1>
      ${folderPicker(page, view, t('Folder'))}
    </header>
    ${verdict(page, view)}
    ${
      notice === undefined
        ? nothing
        : html`<p class="notice ${notice.good ? 'notice-info' : 'notice-error'}" role="status">
            ${icon(notice.good ? 'pass' : 'error')}<span class="notice-body">${visible(notice.text)}</span>
          </p>`
    }
    ${narrowing(page, view)} ${rows(page, view)}
  </div>`;
}

function verdict(page: Page, view: AuditView): TemplateResult {
  const { checked, faults, acts, decisions, signers } = view;
  if (checked < 100 && faults.length === 0)
    return html`<p class="verdict iconed" role="status">
      ${icon('watch')}${t('Checking every signature: {n}%', { n: checked })}
    </p>`;
  return html`<section class="verdict-box" aria-labelledby="verdict">
    <p class="verdict iconed" id="verdict" role="status">
      ${
        faults.length === 0
          ? html`${icon('shield', 'calm')}${t('Everything verifies.')}`
          : html`${icon('error', 'error')}${tn(faults.length, '{n} record failed verification.', '{n} records failed verification.')}`
      }
    </p>
    ${
      faults.length === 0
        ? nothing
        : html`<ul class="faults">
            ${faults.map((fault) => html`<li>${visible(fault)}</li>`)}
          </ul>`
    }
    <p class="quiet facts">
      <span>${tn(acts, '{n} record', '{n} records')}</span>
      <span>${tn(decisions, '{n} decision, signed', '{n} decisions, signed')}</span>
      ${signers.map(
        ({ name, key, decisions: n }) =>
          html`<span title=${t('Key {key}', { key: visibleText(key) })}
            >${tn(n, '{name}: {n} decision', '{name}: {n} decisions', { name: visibleText(name) })}</span
          >`,
      )}
    </p>
    <div class="actions">
      ${
        view.export === 'no'
          ? nothing
          : button(
              view.export === 'sealed' ? t('Sign and export…') : t('Export…'),
              () => page.dispatch({ type: 'export', shown: view.shown }),
              { act: 'export' },
            )
      }
      ${button(t('Check again'), () => page.dispatch({ type: 'again' }), { act: 'again' })}
    </div>
    ${
      view.export === 'no'
        ? nothing
        : html`<p class="quiet small">
            ${view.export === 'sealed' ? t('One file with the journal and all signatures, which can be checked without this machine.') : t('This editor has no key yet, so the file is not signed: records after the last decision could be cut off.')}
          </p>`
    }
  </section>`;
}

function narrowing(page: Page, view: AuditView): TemplateResult {
  const { scope, text, about } = page.filter();
  return html`<div class="tab-head sticky" role="search">
    <label
      >${t('Show')}
      <select
        data-act="scope"
        .value=${live(scope)}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          page.show(scopes.find((one) => one === value) ?? scope);
        }}
      >
        ${scopes.map((one) => html`<option value=${one} ?selected=${one === scope}>${scopeWords[one]}</option>`)}
      </select></label
    >
    <input
      type="search"
      class="search"
      aria-label=${t('Who, what or which item')}
      placeholder=${t('Who, what or which item')}
      .value=${live(text)}
      @input=${(event: Event) => {
        page.search((event.target as HTMLInputElement).value);
      }}
    />
    ${
      about === undefined
        ? nothing
        : link(
            html`<bdi>${t('Only {id}', { id: visibleText(about) })}</bdi> ${icon('close', 'inline')}`,
            () => page.only(),
            {
              act: 'all-items',
              title: t('Show all items'),
            },
          )
    }
    <span class="quiet" role="status">${matching(view)}</span>
  </div>`;
}

const page = startSurface<AuditSnapshot, AuditMessage, Saved, Page>({
  label: t('Decisions'),
  parse: parseSaved,
  create: createPage,
  content: viewOf,
  data: ({ view }) => ({ checked: view.type === 'audit' ? String(view.checked) : '' }),
});
page.begin();
