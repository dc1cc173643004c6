/** Forms about keys: letting this editor sign, and whose decisions are valid on this machine. */
import { html, nothing, type TemplateResult } from 'lit';
import type { EnrolView, KeysView } from '../../src/ui/answer/keys.ts';
import type { KeyAct } from '../../src/ui/answer/messages.ts';
import {
  doneNote,
  formOf,
  isFrozen,
  leave,
  lockedNote,
  refusal,
  secondStep,
  waitingNote,
  wideTitle,
} from '../shared/deciding.ts';
import { button, icon, notice, visible, visibleText, bdi } from '../shared/elements.ts';
import { field, textBox, choices } from '../shared/fields.ts';
import { part } from '../shared/parts.ts';
import { t, th } from '../shared/strings.ts';
import { enter, enteredIn, formWith, ifStale, type Drawn, type OneFormPage } from './kit.ts';
import { agoTag } from '../shared/time.ts';

/** The target of the second step; trusting a key has its own, because the host has to check the key first. */
type Asked = Exclude<KeyAct, { do: 'trust' }>;
type Passkey = KeysView['passkeys'][number];

/** What the confirmation is about. */
let confirmed: Asked | undefined;

function change(page: OneFormPage, view: KeysView, what: KeyAct, lacking?: { field: string; text: string }): void {
  if (view.locked !== undefined || !page.ready()) return;
  if (what.do !== 'trust') confirmed = what;
  page.attempt({
    ...{ target: view, lacking, twice: what.do !== 'trust' },
    make: (marks) => ({ type: 'keys', ...marks, what, confirmed: true }),
  });
}

/** Fields about one key: a text for one does not apply to another. */
const calledOf = (fingerprint: string) => `called.${fingerprint}`;
const labelOf = (keyid: string) => `label.${keyid}`;

// Parts of both forms

/** The whole fingerprint in groups, because a partial match can be forged. */
function fingerprint(text: string): TemplateResult {
  return html`<code class="fingerprint" dir="ltr">${visible(text)}</code>`;
}

function sinceTime(at: string): TemplateResult {
  return th('since {time}', { time: agoTag(at) });
}

function keyRow(name: string, about: readonly unknown[], face: string, more: unknown = nothing): TemplateResult {
  return html`<p class="facts">
      <bdi class="agent-what">${visible(name)}</bdi> ${about.map((one) => html`<span class="quiet">${one}</span>`)}
    </p>
    ${fingerprint(face)} ${more}`;
}

/** Information that is not an error. */
function remoteNote(remote: string | undefined): Drawn {
  return remote === undefined ? nothing : notice('info', 'pin', visible(remote), { note: 'remote' });
}

function copyKey(page: OneFormPage, { key }: { readonly key: string }, label: string): TemplateResult {
  const copy = () => {
    page.copy('key', { type: 'copyPublicKey', key });
  };
  return button(page.copied() === 'key' ? t('Copied') : label, copy, { act: 'copy-key' });
}

// This editor cannot sign yet: the keys that can, those that are lost, and the button that adds its own.

export function enrol(page: OneFormPage, view: EnrolView): TemplateResult {
  const { managed, pinned, publicLine } = view;
  const others = managed ?? view.team;
  return html`<article class="plain">
    <h1 class="iconed plain-title">
      ${icon('key')}<span
        >${managed === undefined ? t('This editor cannot sign for you yet') : t('An administrator manages the trusted keys')}</span
      >
    </h1>
    <p>
      ${others === undefined ? t('Answers are signed with a key in this editor, and this machine already knows other keys. Until you add this editor’s key, your answers here are not valid.') : visible(others)}
    </p>
    ${
      pinned.length === 0
        ? nothing
        : html`<h2 class="plain-head">${t('Known keys')}</h2>
            <ul class="agents">
              ${pinned.map((key) => html`<li>${keyRow(key.name, [sinceTime(key.at)], key.fingerprint)}</li>`)}
            </ul>`
    }
    ${remoteNote(view.remote)}
    ${
      others === undefined
        ? enrolForm(page, view)
        : html`${publicLine === undefined ? nothing : html`<p>${fingerprint(publicLine)}</p>`}
            <div class="actions">${copyKey(page, view, t('Copy this editor’s public key'))}</div>
            ${view.team === undefined ? nothing : connect(page, view.key)}`
    }
  </article>`;
}

function enrolForm(page: OneFormPage, view: EnrolView): TemplateResult {
  const lost = lostIn(page, view);
  const form = { ...view, answersAs: { name: view.name, editable: true }, locked: undefined };
  const revoke = t('Report them as lost and sign with a new key');
  const again = t('The list has changed since you started. Read it again before you continue.');
  const confirm = {
    ask: t('Report the lost keys?'),
    content: html`<ul>
        ${view.pinned.filter(({ keyid }) => lost.includes(keyid)).map((key) => html`<li>${bdi(key.name)} ${fingerprint(key.fingerprint)}</li>`)}
      </ul>
      <p>
        ${t('These keys can no longer sign. Their earlier decisions stay valid. The audit trail and “You and your devices” show the loss. Teammates and CI that know these keys need your new public key, which you can copy afterwards.')}
      </p>`,
    yes: revoke,
  };
  return html`<p class="quiet">
      ${t('If none of these is yours, someone else has used Holdpoint on this account. Find out who before you continue.')}
    </p>
    ${formWith(page, form, html`${ifStale(page, view, again)} ${losses(page, view, lost, isFrozen(page, form))}`, {
      ...(lost.length === 0 ? { send: t('Let this editor sign') } : { send: revoke, confirm }),
      make: (marks) => ({ type: 'enrol', ...marks, lost, confirmed: lost.length > 0 }),
    })}`;
}

function lostIn(page: OneFormPage, view: EnrolView): string[] {
  const ticked = (enteredIn(page, view)['lost'] ?? '').split('\n');
  return view.pinned.map(({ keyid }) => keyid).filter((keyid) => ticked.includes(keyid));
}

/** Each lost key needs its own checkbox and a confirmation. */
function losses(page: OneFormPage, view: EnrolView, lost: readonly string[], disabled: boolean): Drawn {
  if (view.pinned.length === 0) return nothing;
  const keep = (all: readonly string[]) => {
    page.keepFields(view, all.length === 0 ? undefined : { lost: all.join('\n') });
  };
  return choices({
    ...{ name: 'lost', multiple: true, disabled },
    legend: html`<legend class="field-label">${t('Have you lost the key of another editor?')}</legend>
      <p class="quiet small">
        ${t('Select the keys that can no longer be used. Leave out teammates and editors you still use.')}
      </p>`,
    rows: view.pinned.map(({ keyid, name, fingerprint: face }) => {
      const picked = lost.includes(keyid);
      return {
        ...{ value: keyid, label: bdi(name), picked },
        more: html`<code>${visibleText(face).slice(0, 19)} …</code>`,
        pick: () => keep(picked ? lost.filter((one) => one !== keyid) : [...lost, keyid]),
      };
    }),
  });
}

// The keys that are trusted on this machine: this editor's, others', retired ones, and a form to trust another.

const whyWords = {
  rotated: t('replaced by a new key'),
  lost: t('lost'),
  takenOut: t('removed'),
  stranger: t('removed, never added by a form'),
};

const strangerWords = t(
  'This key was not added through a form of this editor. If you do not recognize it, remove it, and everything it signed is void.',
);
const trustedFrom = t('Their decisions become valid on this machine, including earlier decisions.');

interface Question {
  readonly ask: string;
  readonly more: string;
  readonly yes: string;
}

const questions: Record<Asked['do'], (name: string, stranger: boolean) => Question> = {
  rotate: () => ({
    ask: t('Replace this editor’s key?'),
    more: t(
      'The old key signs the new one and nothing after that. Its earlier decisions stay valid. Give teammates and CI the new public key.',
    ),
    yes: t('Yes, replace the key'),
  }),
  keep: (name) => ({ ask: t('Keep the key of {name}?', { name }), more: trustedFrom, yes: t('Yes, keep it') }),
  makeRoot: (name) => ({
    ask: t('Make the key of {name} a team owner key?', { name }),
    more: t(
      'A team owner key can add and remove keys, other team owner keys and yours included. If one is lost, another can continue.',
    ),
    yes: t('Yes, make it a team owner key'),
  }),
  takeOut: (name, stranger) => ({
    ask: t('Remove the key of {name}?', { name }),
    more: stranger
      ? t('Everything it signed is void. Work it released is held again. It cannot be added again.')
      : t('It can no longer decide anything. Its earlier decisions stay valid. It cannot be added again.'),
    yes: t('Yes, remove it'),
  }),
  giveUpPasskey: (name) => ({
    ask: t('Remove the passkey “{name}”?', { name }),
    more: t(
      'It can no longer sign, and cannot be added again. Its earlier decisions stay valid. Delete it on its device as well.',
    ),
    yes: t('Yes, remove it'),
  }),
  confirmPasskey: (name) => ({
    ask: t('Confirm the passkey “{name}”?', { name }),
    more: t(
      'It can then decide items for which the policy requires passkeys. Confirm only a passkey that you have made.',
    ),
    yes: t('Yes, confirm it'),
  }),
  rename: () => ({ ask: t('Change your name?'), more: '', yes: t('Change it') }),
  renamePasskey: (name) => ({ ask: t('Rename the passkey “{name}”?', { name }), more: '', yes: t('Rename it') }),
};

interface Acting {
  readonly page: OneFormPage;
  readonly view: KeysView;
  /** Whether another act can begin. */
  readonly free: boolean;
  readonly asked: Asked | undefined;
}

export function keysForm(page: OneFormPage, view: KeysView): TemplateResult {
  const busy = page.flight() !== undefined;
  const asked = page.step() === 'confirm' && !busy ? confirmed : undefined;
  const isOpen = view.locked === undefined && !view.inBrowser;
  const isOwnRing = view.managed === undefined && isOpen;
  const canChange = isOwnRing && view.own !== undefined;
  // A confirmation or a key under review replaces all other actions.
  const isIdle = !busy && asked === undefined && view.candidate === undefined;
  const acting: Acting = { page, view, asked, free: canChange && isIdle };
  return html`<article class="plain keys">
    ${wideTitle('key', t('You and your devices'), view.folder)}
    <p class="quiet">
      ${t('Decisions signed with these keys are valid on this machine. A decision signed with any other key has no effect.')}
    </p>
    ${view.managed === undefined ? nothing : notice('info', 'lock', visible(view.managed))} ${remoteNote(view.remote)}
    ${lostNotes(view)}
    ${view.onlyRoot ? notice('warning', 'warning', t('Yours is the only team owner key. If it is lost, keys can no longer be added or removed here. Make another person’s key a team owner key as well.')) : nothing}
    ${formOf(
      page,
      html`${refusal(page)} ${doneNote(page)}
      ${view.inBrowser ? nothing : ownKey({ ...acting, free: isOwnRing && isIdle && !view.team })}
      ${passkeys({ ...acting, free: isIdle && view.locked === undefined })}
      ${view.inBrowser ? nothing : otherKeys(acting)} ${candidateKey(page, view, busy)}
      ${canChange && view.candidate === undefined ? paste(acting) : nothing} ${retiredKeys(view)}
      ${isIdle && isOpen ? team(page, view) : nothing} ${view.locked === undefined ? nothing : lockedNote(view.locked)}
      ${busy ? waitingNote(page) : nothing} ${isIdle ? html`<div class="actions">${leave(page)}</div>` : nothing}`,
    )}
  </article>`;
}

function begin({ page, view }: Acting, what: Asked, label: string, act: string): TemplateResult {
  return button(label, () => change(page, view, what), { act });
}

interface Subject {
  readonly keyid?: string;
  readonly name: string;
  readonly stranger?: boolean;
}

/** Its confirmation if an act on this key was begun, else the buttons that begin one. */
function acts(acting: Acting, { keyid, name, stranger = false }: Subject, begins: readonly Drawn[]): Drawn {
  const { page, view, asked, free } = acting;
  if (asked && ('keyid' in asked ? asked.keyid : undefined) === keyid) {
    const { ask, more, yes } = questions[asked.do](visibleText(name), stranger);
    if ('label' in asked) return rename(acting, asked, { ask, yes }, name);
    return secondStep(page, { ask, content: html`<p>${more}</p>`, yes, act: () => change(page, view, asked) });
  }
  return free && begins.some((one) => one !== nothing) ? html`<div class="actions">${begins}</div>` : nothing;
}

function rename(
  { page, view }: Acting,
  asked: Extract<Asked, { label: string }>,
  words: Pick<Question, 'ask' | 'yes'>,
  label: string,
): TemplateResult {
  const entered = labelOf('keyid' in asked ? asked.keyid : 'own');
  const newName = enteredIn(page, view)[entered] ?? label;
  return secondStep(page, {
    ...words,
    content: field(
      page,
      { type: 'line', name: 'newName', label: t('New name'), max: 100 },
      {
        ...{ values: { newName }, disabled: false },
        edit: ({ newName: text = '' }) => enter(page, view, { [entered]: text }),
      },
    ),
    act: () => change(page, view, { ...asked, label: newName.trim() === '' ? label : newName.trim() }),
  });
}

function ownKey(acting: Acting): TemplateResult {
  const { page, view } = acting;
  const { own: key } = view;
  const { name } = key ?? view.answersAs;
  const begins: Drawn[] = [
    begin(acting, { do: 'rename', label: name }, t('Change name…'), 'rename'),
    key ? begin(acting, { do: 'rotate' }, t('Replace key…'), 'rotate') : nothing,
  ];
  return html`<h2 class="plain-head">${t('You answer as')}</h2>
    ${
      key
        ? html`${keyRow(key.name, [sinceTime(key.since)], key.fingerprint)}
            <p class="quiet small">${t('Teammates add this key in their own form; CI uses it too.')}</p>`
        : html`<p>${bdi(name)}</p>
            <p>${t('This editor has no key yet. Your first decision creates it.')}</p>`
    }
    <div class="flow">
      ${key ? copyKey(page, view, t('Copy public key')) : nothing} ${acts(acting, { name }, begins)}
    </div>`;
}

function list<Item>(
  title: string,
  all: readonly Item[],
  row: (item: Item) => TemplateResult,
  about: Drawn = nothing,
): TemplateResult {
  return html`<h2 class="plain-head">${title}</h2>
    ${about}
    ${
      all.length === 0
        ? html`<p class="quiet">${t('None.')}</p>`
        : html`<ul class="agents">
            ${all.map(row)}
          </ul>`
    }`;
}

function otherKeys(acting: Acting): TemplateResult {
  const inTeam = acting.view.team;
  return list(t('Other trusted keys'), acting.view.others, ({ keyid, name, at, fingerprint: face, stranger, root }) => {
    const about = html`${sinceTime(at)}${root ? ` · ${t('team owner key')}` : nothing}`;
    const more = html`${stranger ? notice('warning', 'warning', strangerWords) : nothing}
    ${acts(acting, { keyid, name, stranger }, [
      begin(acting, { do: 'takeOut', keyid }, t('Remove…'), 'take-out'),
      stranger ? begin(acting, { do: 'keep', keyid }, t('Keep it'), 'keep') : nothing,
      inTeam && !root ? begin(acting, { do: 'makeRoot', keyid }, t('Make team owner key…'), 'make-root') : nothing,
    ])}`;
    return html`<li data-key=${keyid}>${keyRow(name, [about], face, more)}</li>`;
  });
}

/** Where each passkey signs, when it last did, and what can be done with it. */
function passkeys(acting: Acting): TemplateResult {
  const { page, view, free } = acting;
  const about = html`<p class="quiet small">
    ${t('A passkey signs in a browser, after your fingerprint, face or PIN. Have two: if a policy requires passkeys and all are lost, only starting over helps.')}
  </p>`;
  return html`${list(t('Passkeys'), view.passkeys, (one) => passkeyRow(acting, one), about)}
  ${
    free && view.addsPasskeys
      ? html`<div class="actions">
            ${button(view.remote === undefined ? t('Add a Passkey…') : t('Use a passkey instead…'), () => page.dispatch({ type: 'addPasskey', key: view.key }), { act: 'add-passkey' })}
          </div>
          ${part(page, 'phone', t('Answer from a phone'), phone(view))}`
      : nothing
  }`;
}

function phone({ phone: found }: KeysView): TemplateResult {
  if (found === undefined)
    return html`<p>
      ${t('A phone needs an https address. Run “holdpoint serve” with one, and set it as “page” in your settings of reminders. This part then shows it as a QR code.')}
    </p>`;
  const { link, size, squares } = found;
  return html`<p>
      ${t('Scan this with the phone, enter the code of the terminal that runs “holdpoint serve”, and create a passkey there. Then choose “Add a Passkey…” here.')}
    </p>
    <svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label=${t('QR code')}><path d=${squares} /></svg>
    <bdi class="fingerprint" dir="ltr">${visible(link)}</bdi>`;
}

function passkeyRow(acting: Acting, one: Passkey): TemplateResult {
  const { keyid, label, name, origin, since, used, stranger, counts, confirm, changeable } = one;
  const { page, view } = acting;
  const inBrowser = () => {
    page.dispatch({ type: 'openInBrowser', key: view.key });
  };
  const signs = html`${bdi(name)} · <bdi dir="ltr">${visible(origin)}</bdi>`;
  const times = html`${th('added {time}', { time: agoTag(since) })} ·
  ${used === undefined ? t('not used here yet') : th('last used here {time}', { time: agoTag(used) })}`;
  const more = html`${stranger ? notice('warning', 'warning', strangerWords) : nothing}
  ${counts ? nothing : notice('info', 'shield', t('It cannot decide yet if the policy requires a passkey.'))}
  ${acts(acting, { keyid, name: label }, [
    confirm === 'here' ? begin(acting, { do: 'confirmPasskey', keyid }, t('Confirm…'), 'confirm-passkey') : nothing,
    confirm === 'browser' ? button(t('Confirm with another passkey…'), inBrowser, { act: 'open-in-browser' }) : nothing,
    changeable ? begin(acting, { do: 'renamePasskey', keyid, label }, t('Rename…'), 'rename-passkey') : nothing,
    changeable ? begin(acting, { do: 'giveUpPasskey', keyid }, t('Remove…'), 'give-up') : nothing,
  ])}`;
  return html`<li data-key=${keyid}>${keyRow(label, [signs, times], one.fingerprint, more)}</li>`;
}

function paste({ page, view, free }: Acting): TemplateResult {
  const { key } = view;
  /** Checking a key decides nothing. */
  const look = () => {
    const text = (enteredIn(page, view)['pasted'] ?? '').trim();
    if (text === '') page.complain({ field: 'pasted', text: t('Paste the public key first.') });
    else page.dispatch({ type: 'lookAtKey', key, text });
  };
  return html`<h2 class="plain-head">${t('Trust a teammate’s key')}</h2>
    ${textBox(page, {
      ...{ name: 'pasted', label: t('Public key of a teammate'), value: enteredIn(page, view)['pasted'] ?? '' },
      ...{ max: 10_000, disabled: !free, edit: (pasted) => enter(page, view, { pasted }) },
    })}
    ${view.problem === undefined ? nothing : html`<p class="hint error" role="alert">${visible(view.problem)}</p>`}
    <p class="quiet small">
      ${t('The text from their “Copy public key” button, or a line printed by “holdpoint keys”.')}
    </p>
    ${free ? html`<div class="actions">${button(t('Check it…'), look, { act: 'look' })}</div>` : nothing}`;
}

/** The confirmation of trusting a key: the fingerprint to compare, its owner and the button. */
function candidateKey(page: OneFormPage, view: KeysView, busy: boolean): Drawn {
  const { candidate: key } = view;
  if (!key) return nothing;
  const calledKey = enteredIn(page, view)[calledOf(key.fingerprint)] ?? key.name;
  const called = calledKey.trim();
  const lacking = called === '' ? { field: 'calledKey', text: t('Enter the owner’s name.') } : undefined;
  return html`<section class="second-step" tabindex="-1" data-focus="confirm" aria-labelledby="compare">
    <h2 class="plain-head" id="compare">${t('Trust a teammate’s key')}</h2>
    ${
      key.passkey
        ? html`<p data-part="passkey">
            <span
              >${th('The passkey “{name}”, which signs at {origin}.', { name: bdi(key.passkey.label), origin: html`<bdi dir="ltr">${visible(key.passkey.origin)}</bdi>` })}</span
            >
          </p>`
        : nothing
    }
    <p class="field-label">${t('Fingerprint')}</p>
    <p>${fingerprint(key.fingerprint)}</p>
    <p class="iconed">
      ${icon('warning', 'warning')}${t('Compare this with the fingerprint in your teammate’s own form, not with one that came with the key. Trust it only if both are identical.')}
    </p>
    <p>${trustedFrom}</p>
    ${field(
      page,
      { type: 'line', name: 'calledKey', label: t('Owner'), max: 100 },
      {
        ...{ values: { calledKey }, disabled: busy },
        edit: ({ calledKey: text = '' }) => enter(page, view, { [calledOf(key.fingerprint)]: text }),
      },
    )}
    ${
      busy
        ? nothing
        : html`<div class="actions">
            ${button(t('Trust this key'), () => change(page, view, { do: 'trust', called }, lacking), { wide: true, primary: true, act: 'confirm', once: true })}
            ${button(t('Back'), () => page.dispatch({ type: 'lookAtKey', key: view.key, text: '' }), { act: 'back' })}
          </div>`
    }
  </section>`;
}

function team(page: OneFormPage, { key, sharing }: KeysView): TemplateResult {
  const label = sharing.isShared ? t('Leave the Team…') : t('Share This Workspace…');
  return html`<h2 class="plain-head">${t('Team')}</h2>
    <p class="quiet small">
      ${sharing.isShared ? t('The journal of this folder is on a team’s server.') : t('The journal of this folder is on this machine alone.')}
    </p>
    ${connect(
      page,
      key,
      button(label, () => page.dispatch({ type: 'select', key: sharing.form }), { act: 'sharing' }),
    )}`;
}

function connect(page: OneFormPage, key: string, more: Drawn = nothing): TemplateResult {
  return html`<div class="actions">
    ${button(t('Connect to Your Team…'), () => page.dispatch({ type: 'connectTeam', key }), { act: 'connect' })} ${more}
  </div>`;
}

function lostNotes(view: KeysView): TemplateResult[] {
  return view.retired
    .filter(({ why }) => why === 'lost')
    .map(({ name, at }) => {
      const words = th(
        'The key of {name} was reported lost {time}. Teammates and CI that trust it need the new public key and should remove the old one.',
        { name: bdi(name), time: agoTag(at) },
      );
      return notice('warning', 'warning', words, { note: 'lost' });
    });
}

function retiredKeys(view: KeysView): Drawn {
  if (view.retired.length === 0) return nothing;
  return list(t('Removed keys'), view.retired, ({ name, why, at, fingerprint: face }) => {
    return html`<li>${keyRow(name, [html`${whyWords[why]} · ${agoTag(at)}`], face)}</li>`;
  });
}
