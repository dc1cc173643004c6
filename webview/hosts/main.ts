/** "Set up agents": connects the host, the state and the drawing. */
import { html, nothing, type TemplateResult } from 'lit';
import type { SetupHost, SetupMessage } from '../../src/ui/setup/messages.ts';
import type { SetupPlan, SetupRowView, SetupSnapshot, SetupVerdict, SetupView } from '../../src/ui/setup/model.ts';
import {
  button,
  folderPicker,
  icon,
  link,
  notice,
  visible,
  visibleText,
  type IconName,
  bdi,
} from '../shared/elements.ts';
import { t } from '../shared/strings.ts';
import { difference } from '../shared/difference.ts';
import { startSurface, unavailable, type Host } from '../shared/surface.ts';
import { ago, timeTag } from '../shared/time.ts';
import '../shared/tab.css';

// The page's one state: the host's latest snapshot, and the open plan. Renders nothing, writes nothing.

/** The open plan: the changes that a button would write, of one host or of all that were found. */
interface Open {
  readonly host: SetupHost | 'found';
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
  off: t('not connected'),
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
  const { host, title, verdict, by, found, denied, reasons, output } = row;
  const look = looks[verdict];
  return html`<section class="entry" data-host=${host} data-verdict=${verdict} aria-labelledby=${`host-${host}`}>
    <div class="entry-head">
      <h2 id=${`host-${host}`}>
        ${bdi(title)}
        <span class="entry-state ${look.tone}"
          >${icon(by === 'administrator' ? 'lock' : look.icon)}<span
            >${by === 'administrator' ? t('enforced, an administrator’s') : verdictWords[verdict]}</span
          ></span
        >
      </h2>
      ${links(page, row)}
    </div>
    ${found === undefined ? nothing : html`<p class="quiet small">${bdi(t('In use here: {path}', { path: found }))}</p>`}
    ${denied === undefined ? nothing : html`<p>${timeTag(denied, visibleText(deniedWords(row, ago(denied))))}</p>`}
    ${
      reasons.length === 0
        ? nothing
        : html`<ul>
            ${reasons.map((reason) => html`<li>${visible(reason)}</li>`)}
          </ul>`
    }
    ${
      output === undefined
        ? nothing
        : html`<details class="quiet small">
            <summary>${t('What its hook printed')}</summary>
            <pre
              class="difference output"
              tabindex="0"
              role="region"
              aria-label=${t('What its hook printed')}
              dir="ltr"
            >
${visible(output)}</pre>
          </details>`
    }
    ${openPlan(page, view, { host, hosts: [host], plans: row })}
  </section>`;
}

/** The latest canary, as a sentence. */
function deniedWords({ host, title }: SetupRowView, time: string): string {
  return host === 'git'
    ? t('A commit of a held file was denied, {time}.', { time })
    : t('An edit to a held file was denied in {host}, {time}.', { host: title, time });
}

function links(page: Page, { host, title, verdict, by, add, remove }: SetupRowView): unknown[] {
  const show = (act: Open['act'], words: string) =>
    planLink(page, { host, act }, words, `${words} ${visibleText(title)}`);
  const addWords = verdict === 'off' || by === 'administrator' ? t('Connect…') : t('Repair…');
  return [
    add.type === 'nothing' ? nothing : show('add', addWords),
    remove.type === 'nothing' ? nothing : show('remove', t('Remove…')),
  ];
}

function planLink(page: Page, plan: Open, words: string, label: string): TemplateResult {
  const open = page.open();
  const isOpen = open?.host === plan.host && open.act === plan.act;
  return link(words, () => page.show(isOpen ? undefined : plan), { act: plan.act, label, expanded: isOpen });
}

/** @param hosts those that the button changes, with what it would write */
function openPlan(
  page: Page,
  { render }: SetupView,
  {
    host,
    hosts,
    plans,
  }: Pick<Open, 'host'> & { hosts: readonly SetupHost[]; plans: Partial<Record<Open['act'], SetupPlan>> },
): TemplateResult | typeof nothing {
  const open = page.open();
  const plan = open?.host === host ? plans[open.act] : undefined;
  if (!open || !plan || plan.type === 'nothing') return nothing;
  const { act } = open;
  return html`<div class="plan indented" data-plan=${host} tabindex="-1" role="group" aria-label=${actTitles[act]}>
    ${plan.type === 'problem' ? problem(plan.text) : changes(open, plan)}
    <div class="actions">
      ${
        plan.type === 'changes'
          ? button(
              actWords[act],
              () => page.dispatch({ type: 'act', hosts: [...hosts], act, shown: plan.shown, render }),
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
            ${bdi(file)} <span class="quiet">${changeWords[what]}</span>
            ${real === undefined ? nothing : html`<span class="warning">${visible(t('a link to {path}', { path: real }))}</span>`}
          </figcaption>
          <div class="difference scroll-x" tabindex="0" role="region" aria-label=${visibleText(file)} dir="ltr">
            ${difference(rows)}
          </div>
        </figure>`,
    )}
    ${open.act === 'add' ? html`<p class="quiet small">${t('Written for this machine. If someone removes or edits it later, the status bar shows a warning.')}</p>` : nothing}`;
}

function content(page: Page, view: SetupView, said: SetupSnapshot['notice']): TemplateResult {
  return html`<div class="tab-page">
    <header class="tab-about">
      <h1>${t('Set up agents')}</h1>
      <p class="about">
        ${t('An agent can ask and continue anyway. A hook stops it: the host asks Holdpoint before each tool call, and calls that touch held work are denied. Connect the hosts you use here. You see every change before it is written.')}
      </p>
      ${folderPicker(page, view)}
    </header>
    <div role="status">
      ${
        said === undefined
          ? nothing
          : notice(
              said.kind === 'done' ? 'info' : 'error',
              said.kind === 'done' ? 'pass' : 'error',
              visible(said.text),
              {
                focus: 'notice',
              },
            )
      }
    </div>
    ${connectAll(page, view)} ${hosts(page, view)}
  </div>`;
}

/** One button for all hosts found here that are not connected, and one that checks again. */
function connectAll(page: Page, view: SetupView): TemplateResult {
  const { hosts, add } = view.found;
  const isOpen = page.open()?.host === 'found';
  const [first] = view.hosts.filter(({ host }) => hosts.includes(host));
  const words =
    hosts.length === 1 && first
      ? t('Connect {host}…', { host: visibleText(first.title) })
      : t('Connect all {n} found here…', { n: hosts.length });
  return html`<section data-host="found">
    ${
      isOpen
        ? nothing
        : html`<div class="actions">
            ${first === undefined ? nothing : button(words, () => page.show({ host: 'found', act: 'add' }), { primary: true, act: 'add' })}
            ${button(view.checking ? t('Checking…') : t('Check now'), () => page.dispatch({ type: 'check' }), { act: 'check', disabled: view.checking })}
          </div>`
    }
    ${openPlan(page, view, { host: 'found', hosts, plans: { add } })}
    ${isOpen ? view.hosts.filter(({ found }) => found !== undefined).map((row) => (row.add.type === 'problem' ? problem(`${row.title}: ${row.add.text}`) : nothing)) : nothing}
  </section>`;
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
