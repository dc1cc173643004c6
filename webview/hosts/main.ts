/** "Set up agents": connects the host, the state and the drawing. */
import { html, nothing, type TemplateResult } from 'lit';
import type { SetupHost, SetupMessage } from '../../src/ui/setup/messages.ts';
import type { SetupPlan, SetupRowView, SetupSnapshot, SetupVerdict, SetupView } from '../../src/ui/setup/model.ts';
import { button, folderPicker, icon, notice, visible, visibleText, type IconName } from '../shared/elements.ts';
import { t } from '../shared/strings.ts';
import { difference } from '../shared/difference.ts';
import { startSurface, unavailable, type Host } from '../shared/surface.ts';
import { ago } from '../shared/time.ts';
import '../shared/folderTab.css';
import './hosts.css';

// The page's one state: the host's latest snapshot, and the open plan. Renders nothing, writes nothing.

/** The open plan: the changes that a button would write. */
interface Open {
  readonly host: SetupHost;
  readonly act: 'add' | 'remove';
}

type Page = ReturnType<typeof createPage>;

function createPage({ host, changed }: { host: Host<SetupMessage, never>; changed: () => void }) {
  let snapshot: SetupSnapshot | undefined;
  let open: Open | undefined;
  let focus: string | undefined;

  return {
    begin: (): void => {
      host.post({ type: 'ready' });
    },
    receive: (next: SetupSnapshot): void => {
      const done = next.notice?.kind === 'done' && next.notice.text !== snapshot?.notice?.text;
      snapshot = next;
      if (done) {
        focus = '[data-focus="notice"]';
        open = undefined;
      }
      changed();
    },
    snapshot: () => snapshot,
    dispatch: (message: SetupMessage): void => {
      host.post(message);
    },
    open: () => open,
    show: (next: Open | undefined): void => {
      focus = next
        ? `[data-plan="${next.host}"]`
        : open
          ? `[data-host="${open.host}"] [data-act="${open.act}"]`
          : undefined;
      open = next;
      changed();
    },
    takeFocus: (): string | undefined => {
      const place = focus;
      focus = undefined;
      return place;
    },
  };
}

// One host: whether holds stop it, why, and exactly what its buttons would write.

const verdictWords = {
  off: t('not set up'),
  enforced: t('enforced, you can edit it'),
  advisory: t('advisory'),
  broken: t('broken'),
};

const actWords = {
  add: t('Write these changes'),
  remove: t('Remove these'),
};

const actTitles = {
  add: t('These changes will be written'),
  remove: t('These lines will be removed'),
};

const changeWords = {
  new: t('new'),
  changed: t('changed'),
  removed: t('removed'),
};

const looks: Readonly<Record<SetupVerdict, { icon: IconName; tone: string }>> = {
  off: { icon: 'circle-outline', tone: 'quiet' },
  enforced: { icon: 'pass', tone: '' },
  advisory: { icon: 'warning', tone: 'warning' },
  broken: { icon: 'error', tone: 'error' },
};

function hostPart(page: Page, view: SetupView, row: SetupRowView): TemplateResult {
  const { host, title, verdict, by, found, reasons } = row;
  const look = looks[verdict];
  return html`<section class="entry" data-host=${host} data-verdict=${verdict} aria-labelledby=${`host-${host}`}>
    <h2 id=${`host-${host}`}>
      <bdi>${visible(title)}</bdi>
      <span class="entry-state ${look.tone}"
        >${icon(by === 'administrator' ? 'lock' : look.icon)}<span
          >${by === 'administrator' ? t('enforced, an administrator’s') : verdictWords[verdict]}</span
        ></span
      >
    </h2>
    <p class="quiet small">
      ${found === undefined ? t('Not found here.') : html`<bdi>${visible(t('In use here: {path}', { path: found }))}</bdi>`}
    </p>
    ${
      reasons.length === 0
        ? nothing
        : html`<ul>
            ${reasons.map((reason) => html`<li>${visible(reason)}</li>`)}
          </ul>`
    }
    ${buttons(page, row)} ${openPlan(page, view, row)}
  </section>`;
}

function buttons(page: Page, row: SetupRowView): TemplateResult | typeof nothing {
  const { host, title, verdict, found, add, remove } = row;
  const show = (act: Open['act'], words: string, primary: boolean) => {
    const open = page.open();
    const isOpen = open?.host === host && open.act === act;
    const label = `${words} ${visibleText(title)}`;
    return button(words, () => page.show(isOpen ? undefined : { host, act }), {
      primary: primary && !isOpen,
      act,
      label,
      expanded: isOpen,
    });
  };
  // Hosts that are not in use here come last.
  const wanted = (verdict !== 'off' || found !== undefined) && row.by !== 'administrator';
  const canAdd = add.type !== 'nothing';
  const canRemove = remove.type !== 'nothing';
  if (!canAdd && !canRemove) return nothing;
  return html`<div class="actions">
    ${canAdd ? show('add', verdict === 'off' || row.by === 'administrator' ? t('Set up…') : t('Repair…'), wanted) : nothing}
    ${canRemove ? show('remove', t('Remove…'), false) : nothing}
  </div>`;
}

function openPlan(page: Page, view: SetupView, row: SetupRowView): TemplateResult | typeof nothing {
  const open = page.open();
  if (open?.host !== row.host) return nothing;
  const plan = row[open.act];
  if (plan.type === 'nothing') return nothing;
  return html`<div
    class="plan indented"
    data-plan=${row.host}
    tabindex="-1"
    role="group"
    aria-label=${actTitles[open.act]}
  >
    ${plan.type === 'problem' ? problem(plan.text) : changes(open, plan)}
    <div class="actions">
      ${
        plan.type === 'changes'
          ? button(
              actWords[open.act],
              () =>
                page.dispatch({ type: 'act', host: open.host, act: open.act, shown: plan.shown, render: view.render }),
              { primary: true, act: 'write', once: true },
            )
          : nothing
      }
      ${button(t('Back'), () => page.show(undefined), { act: 'back' })}
    </div>
  </div>`;
}

function problem(text: string): TemplateResult {
  return notice('error', 'error', visible(text));
}

function changes(open: Open, plan: SetupPlan & { type: 'changes' }): TemplateResult {
  return html`<h3>${actTitles[open.act]}</h3>
    ${plan.files.map(
      ({ file, real, what, rows }) =>
        html`<figure class="change">
          <figcaption class="flow">
            <bdi>${visible(file)}</bdi> <span class="quiet">${changeWords[what]}</span>
            ${real === undefined ? nothing : html`<span class="warning">${visible(t('a link to {path}', { path: real }))}</span>`}
          </figcaption>
          <div class="difference scroll-x" tabindex="0" role="region" aria-label=${visibleText(file)} dir="ltr">
            ${difference(rows)}
          </div>
        </figure>`,
    )}
    ${open.act === 'add' ? html`<p class="quiet small">${t('Written for this machine. If someone removes or edits it later, the status bar shows a warning.')}</p>` : nothing}`;
}

function content(page: Page, view: SetupView, notice: SetupSnapshot['notice']): TemplateResult {
  return html`<div class="tab-page">
    <header>
      <h1>${t('Set up agents')}</h1>
      <p class="about">
        ${t('An agent can ask and continue anyway. A hook stops it: the host asks Holdpoint before each tool call, and calls that touch held work are denied. Set up the hosts you use here. You see every change before it is written.')}
      </p>
      ${folderPicker(page, view, t('Folder'))}
      <div class="actions">
        ${button(view.checking ? t('Checking…') : t('Check now'), () => page.dispatch({ type: 'check' }), { act: 'check', disabled: view.checking })}
        ${
          view.checkedAt === undefined
            ? nothing
            : html`<span class="quiet" title=${view.checkedAt}
                >${t('checked {time}', { time: ago(view.checkedAt) })}</span
              >`
        }
      </div>
    </header>
    <div role="status">
      ${
        notice === undefined
          ? nothing
          : html`<p
              class="notice ${notice.kind === 'done' ? 'notice-info' : 'notice-error'}"
              data-focus="notice"
              data-notice=${notice.kind}
              tabindex="-1"
            >
              ${icon(notice.kind === 'done' ? 'pass' : 'error')}<span class="notice-body">${visible(notice.text)}</span>
            </p>`
      }
    </div>
    ${hosts(page, view)}
  </div>`;
}

/** Those in use here first; all others are folded, unless there are no others. */
function hosts(page: Page, view: SetupView): readonly unknown[] {
  const isHere = ({ verdict, found }: SetupRowView) => verdict !== 'off' || found !== undefined;
  const draw = (row: SetupRowView) => hostPart(page, view, row);
  const [here, others] = [view.hosts.filter(isHere), view.hosts.filter((row) => !isHere(row))];
  if (others.length === 0) return here.map(draw);
  return [
    here.map(draw),
    html`<details class="others" ?open=${here.length === 0}>
      <summary>${t('Other hosts ({n})', { n: others.length })}</summary>
      ${others.map(draw)}
    </details>`,
  ];
}

const page = startSurface<SetupSnapshot, SetupMessage, never, Page>({
  label: t('Set up agents'),
  parse: () => undefined,
  create: createPage,
  content: (opened, { view, notice }) =>
    view.type === 'unavailable' ? unavailable(opened, view) : content(opened, view, notice),
});
page.begin();
