/** What was entered in the forms about keys, which the page keeps. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { EnrolView, KeysView } from '../../src/ui/answer/keys.ts';
import type { EnrolMessage, KeyAct, KeysMessage } from '../../src/ui/answer/messages.ts';
import { done, formOf, leave, locked, refusal, secondStep, waiting, wideTitle } from '../shared/deciding.ts';
import { button, byHuman, icon, notice, visible, visibleText } from '../shared/elements.ts';
import { inputField, nameField, textBox } from '../shared/fields.ts';
import type { FieldsDraft, FormActs, OneFormPage } from '../shared/oneForm.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';

export interface KeysDraft {
  readonly pasted: string;
  /** The owner of the candidate; the key's own name until somebody edits it. */
  readonly called: string | undefined;
  /** Ids of keys that are lost. */
  readonly lost: readonly string[];
}

/** The names of the fields that are about one key. */
const calledOf = (fingerprint: string) => `called.${fingerprint}`;
const labelOf = (keyid: string) => `label.${keyid}`;

function createKeyDrafts(
  acts: Pick<FormActs<never>, 'fieldsOf' | 'keepFields'>,
  view: () => KeysView | EnrolView | undefined,
) {
  const fields = (): FieldsDraft['fields'] => acts.fieldsOf(view()?.key ?? '')?.fields ?? {};

  function keep(change: FieldsDraft['fields']): void {
    const shown = view();
    if (shown) acts.keepFields(shown, { ...fields(), ...change });
  }

  function keysDraft(): KeysDraft {
    const shown = view();
    const { pasted = '', lost = '' } = fields();
    const candidate = shown?.type === 'keys' ? shown.candidate : undefined;
    const pinned = shown?.type === 'enrol' ? shown.pinned.map(({ keyid }) => keyid) : [];
    const ticked = lost.split('\n');
    return {
      pasted,
      called: candidate && fields()[calledOf(candidate.fingerprint)],
      lost: pinned.filter((keyid) => ticked.includes(keyid)),
    };
  }

  return {
    keysDraft,
    /** Whether the list of keys has changed since the lost ones were ticked. */
    isEnrolStale: ({ key, shown }: EnrolView): boolean => {
      const kept = acts.fieldsOf(key);
      return kept !== undefined && kept.shown !== shown;
    },

    setPasted: (pasted: string): void => {
      keep({ pasted });
    },

    setCalled: (called: string): void => {
      const shown = view();
      if (shown?.type === 'keys' && shown.candidate) keep({ [calledOf(shown.candidate.fingerprint)]: called });
    },

    setLost: (lost: readonly string[]): void => {
      const shown = view();
      if (shown) acts.keepFields(shown, lost.length === 0 ? undefined : { lost: lost.join('\n') });
    },

    /** The new name of a passkey, if somebody has typed one. */
    passkeyLabel: (keyid: string): string | undefined => fields()[labelOf(keyid)],
    setPasskeyLabel: (keyid: string, label: string): void => {
      keep({ [labelOf(keyid)]: label });
    },
  };
}

// The acts of the forms about keys: letting this editor sign, and whose decisions count.

/** The target of the second step; trusting a key has its own, because the host has to check the key first. */
type AskedOfKeys = Exclude<KeyAct, { do: 'trust' }>;

interface LookAtKey {
  readonly type: 'lookAtKey';
  readonly key: string;
  readonly text: string;
}

interface KeyActsOptions {
  readonly acts: FormActs<KeysMessage | EnrolMessage>;
  readonly view: () => KeysView | EnrolView | undefined;
  readonly dispatch: (message: LookAtKey) => void;
  readonly copyKey: () => void;
}

/** The page, as the forms about keys use it. */
type KeysPage = OneFormPage &
  ReturnType<typeof createKeyActs>['acts'] & {
    readonly dispatch: (
      message: { readonly type: 'back' } | { readonly type: 'addPasskey' | 'openInBrowser'; readonly key: string },
    ) => void;
  };

export function createKeyActs({ acts, view, dispatch, copyKey }: KeyActsOptions) {
  let asked: AskedOfKeys | undefined;
  const keysView = () => {
    const shown = view();
    return shown?.type === 'keys' ? shown : undefined;
  };

  const { keysDraft, ...drafts } = createKeyDrafts(acts, view);

  return {
    /** The form or its content has changed: what was entered stays, a pending confirmation does not. */
    reset: (): void => {
      asked = undefined;
    },

    acts: {
      copyKey,
      keysDraft,
      ...drafts,
      askedOfKeys: (): AskedOfKeys | undefined => asked,

      /** Checking a key decides nothing. */
      lookAtKey: (): void => {
        const shown = keysView();
        const text = keysDraft().pasted.trim();
        if (!shown) return;
        if (text === '') acts.complain({ field: 'pasted', text: t('Paste the public key first.') });
        else dispatch({ type: 'lookAtKey', key: shown.key, text });
      },

      forgetKey: (): void => {
        const shown = keysView();
        if (shown) dispatch({ type: 'lookAtKey', key: shown.key, text: '' });
      },

      trustKey: (): void => {
        const target = keysView();
        if (!target || target.locked !== undefined || target.candidate === undefined) return;
        const called = (keysDraft().called ?? target.candidate.name).trim();
        const lacking = called === '' ? { field: 'calledKey', text: t('Enter the owner’s name.') } : undefined;
        const what: KeyAct = { do: 'trust', called };
        acts.attempt({ target, lacking, make: (marks) => ({ type: 'keys', ...marks, what, confirmed: true }) });
      },

      /** Asks for confirmation first, then acts. */
      changeKeys: (what: AskedOfKeys): void => {
        const target = keysView();
        if (!target || target.locked !== undefined || !acts.ready()) return;
        asked = what;
        acts.attempt({
          ...{ target, lacking: undefined, twice: true },
          make: (marks) => ({ type: 'keys', ...marks, what, confirmed: true }),
        });
      },

      enrol: (): void => {
        const shown = view();
        if (shown?.type !== 'enrol' || (shown.managed ?? shown.team) !== undefined) return;
        const lost = [...keysDraft().lost];
        acts.attempt({
          ...{ target: { ...shown, answersAs: { name: shown.name, editable: true } }, lacking: undefined },
          twice: lost.length > 0,
          make: (marks) => ({ type: 'enrol', ...marks, lost, confirmed: lost.length > 0 }),
        });
      },
    },
  };
}

// Parts that the forms about keys share.

/** The whole fingerprint in groups, because a partial match can be forged. */
function fingerprint(text: string): TemplateResult {
  return html`<code class="fingerprint" dir="ltr">${visible(text)}</code>`;
}

/** Information that is not an error. */
function remoteNote(remote: string | undefined): TemplateResult | typeof nothing {
  return remote === undefined
    ? nothing
    : html`<p class="notice notice-info" data-note="remote">${icon('pin')}<span>${visible(remote)}</span></p>`;
}

function copyKey(page: KeysPage, label: string, line: string | undefined): TemplateResult {
  return html`${line === undefined ? nothing : html`<p><code class="fingerprint" dir="ltr">${visible(line)}</code></p>`}
    <div class="actions">
      ${button(page.copied() === 'key' ? t('Copied') : label, () => page.copyKey(), { act: 'copy-key' })}
    </div>`;
}

// Shown when this editor cannot sign yet: the keys that can, those that are lost, and the button that adds its own.

export function enrol(page: KeysPage, view: EnrolView): TemplateResult {
  const { managed } = view;
  const others = managed ?? view.team;
  return html`<article class="plain">
    <h1 class="plain-title">
      ${icon('key')}<span
        >${managed === undefined ? t('This editor cannot sign for you yet') : t('An administrator manages the trusted keys')}</span
      >
    </h1>
    <p>
      ${others === undefined ? t('Answers are signed with a key in this editor, and this machine already knows other keys. Until you add this editor’s key, your answers here are not valid.') : visible(others)}
    </p>
    ${
      view.pinned.length === 0
        ? nothing
        : html`<h2 class="plain-head">${t('Known keys')}</h2>
            <ul class="agents">
              ${view.pinned.map(
                (key) =>
                  html`<li>
                    <bdi class="agent-what">${visible(key.name)}</bdi>
                    <span class="quiet">${th('since {time}', { time: timeTag(key.at, ago(key.at)) })}</span>
                    ${fingerprint(key.fingerprint)}
                  </li>`,
              )}
            </ul>`
    }
    ${remoteNote(view.remote)}
    ${others === undefined ? form(page, view) : copyKey(page, t('Copy this editor’s public key'), view.publicLine)}
  </article>`;
}

function form(page: KeysPage, view: EnrolView): TemplateResult {
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm' && !busy;
  const { lost } = page.keysDraft();
  const names = view.pinned.filter(({ keyid }) => lost.includes(keyid));
  return html`<p class="quiet">
      ${t('If none of these is yours, someone else has used Holdpoint on this account. Find out who before you continue.')}
    </p>
    <form
      class="form"
      data-focus="form"
      tabindex="-1"
      @submit=${(event: Event) => {
        event.preventDefault();
      }}
    >
      ${page.isEnrolStale(view) ? notice('info', 'history', t('The list has changed since you started. Read it again before you continue.')) : nothing}
      ${nameField(page, { name: view.name, remote: view.remote !== undefined }, busy || confirming)}
      ${enrolLosses(page, view, busy || confirming)} ${refusal(page)}
      ${
        confirming
          ? secondStep(page, {
              ask: t('Revoke the lost keys?'),
              content: html`<ul>
                  ${names.map((key) => html`<li><bdi>${visible(key.name)}</bdi> ${fingerprint(key.fingerprint)}</li>`)}
                </ul>
                <p>
                  ${t('These keys can sign nothing from now on. Their earlier decisions stay valid. The audit trail and the Keys form show the loss. Teammates and CI that know these keys need your new public key, which you can copy afterwards.')}
                </p>`,
              yes: t('Revoke them and sign with a new key'),
              act: page.enrol,
            })
          : busy
            ? waiting(page)
            : html`<div class="actions">
                ${button(lost.length === 0 ? t('Let this editor sign') : t('{label}…', { label: t('Revoke them and sign with a new key') }), () => page.enrol(), { wide: true, primary: true, act: 'enrol' })}
              </div>`
      }
    </form>`;
}

/** Each lost key needs its own checkbox and a confirmation. */
function enrolLosses(page: KeysPage, view: EnrolView, disabled: boolean): TemplateResult | typeof nothing {
  if (view.pinned.length === 0) return nothing;
  const { lost } = page.keysDraft();
  return html`<fieldset class="choices" ?disabled=${disabled}>
    <legend class="field-label">${t('Have you lost the key of another editor?')}</legend>
    <p class="quiet small">
      ${t('Select the keys that can no longer be used. Leave out teammates and editors you still use.')}
    </p>
    ${view.pinned.map(({ keyid, name, fingerprint: face }) => {
      const picked = lost.includes(keyid);
      return html`<label class="choice ${picked ? 'picked' : ''}">
        <input
          type="checkbox"
          name="lost"
          value=${keyid}
          .checked=${live(picked)}
          @click=${byHuman(() => page.setLost(picked ? lost.filter((one) => one !== keyid) : [...lost, keyid]))}
        />
        <span class="choice-body">
          <span class="choice-label"><bdi>${visible(name)}</bdi></span>
          <span class="choice-more"><code>${visibleText(face).slice(0, 19)} …</code></span>
        </span>
      </label>`;
    })}
  </fieldset>`;
}

// The passkeys in the Keys form: where each signs, when it last did, and what can be done with it.

type Passkey = KeysView['passkeys'][number];
type AskedOfPasskey = Extract<AskedOfKeys, { do: `${string}Passkey` }>;

interface Acting {
  /** Whether another act can begin. */
  readonly free: boolean;
  readonly asked: AskedOfKeys | undefined;
}

function passkeys(page: KeysPage, view: KeysView, acting: Acting): TemplateResult {
  return html`<h2 class="plain-head">${t('Passkeys')}</h2>
    <p class="quiet small">
      ${t('A passkey signs in a browser, after your fingerprint, face or PIN. Have two: if a policy asks for passkeys and all are lost, only starting over helps.')}
    </p>
    ${
      view.passkeys.length === 0
        ? html`<p class="quiet">${t('None.')}</p>`
        : html`<ul class="agents">
            ${view.passkeys.map((one) => row(page, view, one, acting))}
          </ul>`
    }
    ${
      acting.free && view.addsPasskeys
        ? html`<div class="actions">
            ${button(view.remote === undefined ? t('Add a Passkey…') : t('Use a Passkey Instead…'), () => page.dispatch({ type: 'addPasskey', key: view.key }), { act: 'add-passkey' })}
          </div>`
        : nothing
    }`;
}

function row(page: KeysPage, view: KeysView, one: Passkey, { free, asked }: Acting): TemplateResult {
  const { keyid, label, name, origin, since, used, stranger, counts } = one;
  const isAsked = asked !== undefined && isOfPasskey(asked) && asked.keyid === keyid;
  return html`<li data-key=${keyid}>
    <bdi class="agent-what">${visible(label)}</bdi>
    <span class="quiet"><bdi>${visible(name)}</bdi> · <bdi dir="ltr">${visible(origin)}</bdi></span>
    <span class="quiet"
      >${th('added {time}', { time: timeTag(since, ago(since)) })} ·
      ${used === undefined ? t('not used here yet') : th('last used here {time}', { time: timeTag(used, ago(used)) })}</span
    >
    ${fingerprint(one.fingerprint)}
    ${stranger ? notice('warning', 'warning', t('This key was not added through a form of this editor. If you do not recognize it, remove it, and everything it signed is void.')) : nothing}
    ${counts ? nothing : notice('info', 'shield', t('It cannot decide yet where the policy asks for a passkey.'))}
    ${isAsked ? passkeySecond(page, asked, one) : free ? acts(page, view, one) : nothing}
  </li>`;
}

function isOfPasskey(asked: AskedOfKeys): asked is AskedOfPasskey {
  return asked.do === 'renamePasskey' || asked.do === 'giveUpPasskey' || asked.do === 'confirmPasskey';
}

function acts(page: KeysPage, { key }: KeysView, { keyid, label, confirm, changeable }: Passkey): TemplateResult {
  const begin = (what: AskedOfPasskey, words: string, act: string) =>
    button(words, () => page.changeKeys(what), { act });
  const inBrowser = () => {
    page.dispatch({ type: 'openInBrowser', key });
  };
  return html`<div class="actions">
    ${confirm === 'here' ? begin({ do: 'confirmPasskey', keyid }, t('Confirm…'), 'confirm-passkey') : nothing}
    ${confirm === 'browser' ? button(t('Confirm with Another Passkey…'), inBrowser, { act: 'open-in-browser' }) : nothing}
    ${changeable ? begin({ do: 'renamePasskey', keyid, label }, t('Rename…'), 'rename-passkey') : nothing}
    ${changeable ? begin({ do: 'giveUpPasskey', keyid }, t('Retire…'), 'give-up') : nothing}
  </div>`;
}

function passkeySecond(page: KeysPage, asked: AskedOfPasskey, { label }: Passkey): TemplateResult {
  const name = visibleText(label);
  if (asked.do !== 'renamePasskey')
    return secondStep(page, {
      ask:
        asked.do === 'giveUpPasskey'
          ? t('Remove the passkey “{name}”?', { name })
          : t('Confirm the passkey “{name}”?', { name }),
      content: html`<p>
        ${asked.do === 'giveUpPasskey' ? t('It signs nothing from now on, and cannot be added again. Its earlier decisions stay valid. Delete it on its device as well.') : t('It can then decide items for which the policy asks for passkeys. Confirm only a passkey that you have made.')}
      </p>`,
      yes: asked.do === 'giveUpPasskey' ? t('Yes, remove it') : t('Yes, confirm it'),
      act: () => page.changeKeys(asked),
    });
  const typed = page.passkeyLabel(asked.keyid) ?? label;
  return secondStep(page, {
    ask: t('Rename the passkey “{name}”?', { name }),
    content: inputField(page, {
      ...{ name: 'passkeyLabel', label: t('New name'), value: typed, disabled: false, maxLength: 100 },
      kind: 'appoint-field',
      edit: (text) => page.setPasskeyLabel(asked.keyid, text),
    }),
    yes: t('Rename it'),
    act: () => page.changeKeys({ ...asked, label: typed.trim() === '' ? label : typed.trim() }),
  });
}

// The keys whose decisions count on this machine: this editor's, others', retired ones, and a form to trust another.

const whyWords = {
  rotated: t('replaced by a new key'),
  lost: t('lost'),
  takenOut: t('removed'),
  stranger: t('removed, never added by a form'),
};

const maxPaste = 10_000;

export function keysForm(page: KeysPage, view: KeysView): TemplateResult {
  const busy = page.flight() !== undefined;
  const asked = page.step() === 'confirm' && !busy ? page.askedOfKeys() : undefined;
  const canChange =
    view.managed === undefined && view.locked === undefined && view.own !== undefined && view.inBrowser !== true;
  // One thing at a time: a confirmation or a key under review replaces all other actions.
  const isIdle = !busy && asked === undefined && view.candidate === undefined;
  const free = canChange && isIdle;
  const passkeysFree = isIdle && view.locked === undefined;
  return html`<article class="plain keys">
    ${wideTitle('key', t('Keys'), view.folder)}
    <p class="quiet">
      ${t('Decisions signed with these keys are valid on this machine. A decision signed with any other key has no effect.')}
    </p>
    ${view.managed === undefined ? nothing : notice('info', 'lock', visible(view.managed))} ${remoteNote(view.remote)}
    ${losses(view)}
    ${view.onlyRoot === true ? notice('warning', 'warning', t('Yours is the only root of the team. If this key is lost, keys can no longer be added or removed here. Make the key of another person a root as well.')) : nothing}
    ${formOf(
      page,
      html`${refusal(page)} ${done(page)}
      ${view.inBrowser === true ? nothing : [own(page, view, free, asked), others(page, view, free, asked)]}
      ${passkeys(page, view, { free: passkeysFree, asked })} ${candidate(page, view, busy)}
      ${canChange && view.candidate === undefined ? paste(page, view, !free) : nothing} ${retired(view)}
      ${view.locked === undefined ? nothing : locked(view.locked)} ${busy ? waiting(page) : nothing}
      ${busy || asked !== undefined || view.candidate !== undefined ? nothing : html`<div class="actions">${leave(page)}</div>`}`,
    )}
  </article>`;
}

function own(page: KeysPage, view: KeysView, free: boolean, asked: AskedOfKeys | undefined): TemplateResult {
  const { own: key } = view;
  if (!key) return html`<p>${t('This editor has no key yet. Your first decision creates it.')}</p>`;
  return html`<h2 class="plain-head">${t('This editor signs as')}</h2>
    <p>
      <bdi class="agent-what">${visible(key.name)}</bdi>
      <span class="quiet">${th('since {time}', { time: timeTag(key.since, ago(key.since)) })}</span>
      ${fingerprint(key.fingerprint)}
    </p>
    <p class="quiet small">${t('Teammates add it in this form; CI uses it too.')}</p>
    ${copyKey(page, t('Copy public key'), undefined)}
    ${
      asked?.do === 'rotate'
        ? second(page, asked, {
            ask: t('Replace this editor’s key?'),
            more: t(
              'The old key signs the new one and nothing after that. Its earlier decisions stay valid. Give teammates and CI the new public key.',
            ),
            yes: t('Yes, replace the key'),
          })
        : free && view.team !== true
          ? html`<div class="actions">${begin(page, { do: 'rotate' }, t('Replace key…'), 'rotate')}</div>`
          : nothing
    }`;
}

function others(page: KeysPage, view: KeysView, free: boolean, asked: AskedOfKeys | undefined): TemplateResult {
  return html`<h2 class="plain-head">${t('Other trusted keys')}</h2>
    ${
      view.others.length === 0
        ? html`<p class="quiet">${t('None.')}</p>`
        : html`<ul class="agents">
            ${view.others.map((key) => other(page, key, { view, free, asked }))}
          </ul>`
    }`;
}

function other(
  page: KeysPage,
  key: KeysView['others'][number],
  { view, free, asked }: { view: KeysView; free: boolean; asked: AskedOfKeys | undefined },
): TemplateResult {
  const inTeam = view.team === true;
  const { keyid, name, stranger, root = false } = key;
  const isAsked = asked !== undefined && isOfKey(asked) && asked.keyid === keyid;
  return html`<li data-key=${keyid}>
    <bdi class="agent-what">${visible(name)}</bdi>
    <span class="quiet"
      >${th('since {time}', { time: timeTag(key.at, ago(key.at)) })}${root ? ` · ${t('root of the team')}` : nothing}</span
    >
    ${fingerprint(key.fingerprint)}
    ${stranger ? notice('warning', 'warning', t('This key was not added through a form of this editor. If you do not recognize it, remove it, and everything it signed is void.')) : nothing}
    ${
      isAsked
        ? second(page, asked, askOf(asked.do, visibleText(name), stranger))
        : free
          ? html`<div class="actions">
              ${begin(page, { do: 'takeOut', keyid }, t('Remove…'), 'take-out')}
              ${stranger ? begin(page, { do: 'keep', keyid }, t('Keep it'), 'keep') : nothing}
              ${inTeam && !root ? begin(page, { do: 'makeRoot', keyid }, t('Make root…'), 'make-root') : nothing}
            </div>`
          : nothing
    }
  </li>`;
}

type AskedOfKey = Extract<AskedOfKeys, { do: 'keep' | 'makeRoot' | 'takeOut' }>;

function isOfKey(asked: AskedOfKeys): asked is AskedOfKey {
  return asked.do === 'keep' || asked.do === 'makeRoot' || asked.do === 'takeOut';
}

function askOf(act: 'keep' | 'makeRoot' | 'takeOut', name: string, stranger: boolean): Second {
  switch (act) {
    case 'keep':
      return {
        ask: t('Keep the key of {name}?', { name }),
        more: t('Their decisions become valid on this machine, including earlier decisions.'),
        yes: t('Yes, keep it'),
      };
    case 'makeRoot':
      return {
        ask: t('Make the key of {name} a root of the team?', { name }),
        more: t(
          'A root can add and remove keys, and remove other roots, yours included. If one root is lost, another can continue.',
        ),
        yes: t('Yes, make it a root'),
      };
    case 'takeOut':
      return {
        ask: t('Remove the key of {name}?', { name }),
        more: stranger
          ? t('Everything it signed is void. Work it released is held again. It cannot be added again.')
          : t('It cannot decide anything from now on. Its earlier decisions stay valid. It cannot be added again.'),
        yes: t('Yes, remove it'),
      };
  }
}

/** Opens the confirmation, which acts. */
function begin(page: KeysPage, what: AskedOfKeys, label: string, name: string): TemplateResult {
  return button(label, () => page.changeKeys(what), { act: name });
}

interface Second {
  readonly ask: string;
  readonly more: string;
  readonly yes: string;
}

function second(page: KeysPage, what: AskedOfKeys, { ask, more, yes }: Second): TemplateResult {
  return secondStep(page, {
    ask,
    content: html`<p>${more}</p>`,
    yes,
    act: () => page.changeKeys(what),
  });
}

function paste(page: KeysPage, view: KeysView, disabled: boolean): TemplateResult {
  return html`<h2 class="plain-head">${t('Trust a teammate’s key')}</h2>
    ${textBox(page, {
      label: t('Public key of a teammate'),
      value: page.keysDraft().pasted,
      max: maxPaste,
      disabled,
      name: 'pasted',
      edit: page.setPasted,
    })}
    ${view.problem === undefined ? nothing : html`<p class="hint error" role="alert">${visible(view.problem)}</p>`}
    <p class="quiet small">
      ${t('The text from their “Copy public key” button, or a line printed by “holdpoint keys”.')}
    </p>
    ${
      disabled ? nothing : html`<div class="actions">${button(t('Check it…'), page.lookAtKey, { act: 'look' })}</div>`
    }`;
}

/** The confirmation of trusting a key: the fingerprint to compare, its owner and the button. */
function candidate(page: KeysPage, view: KeysView, busy: boolean): TemplateResult | typeof nothing {
  const { candidate: key } = view;
  if (!key) return nothing;
  const called = page.keysDraft().called ?? key.name;
  return html`<section class="second-step" tabindex="-1" data-focus="confirm" aria-labelledby="compare">
    <h2 class="plain-head" id="compare">${t('Trust a teammate’s key')}</h2>
    ${key.passkey ? passkeyFacts(key.passkey) : nothing}
    <p class="field-label">${t('Fingerprint')}</p>
    <p>${fingerprint(key.fingerprint)}</p>
    <p>
      ${icon('warning', 'warning')}${t('Compare this with the fingerprint in your teammate’s own form, not with one that came with the key. Trust it only if both are identical.')}
    </p>
    <p>${t('Their decisions become valid on this machine, including earlier decisions.')}</p>
    ${inputField(page, {
      ...{ name: 'calledKey', label: t('Owner'), value: called, disabled: busy, maxLength: 100 },
      kind: 'appoint-field',
      edit: page.setCalled,
    })}
    ${
      busy
        ? nothing
        : html`<div class="actions">
            ${button(t('Trust this key'), () => page.trustKey(), { wide: true, primary: true, act: 'confirm', once: true })}
            ${button(t('Back'), page.forgetKey, { act: 'back' })}
          </div>`
    }
  </section>`;
}

function passkeyFacts({ label, origin }: NonNullable<NonNullable<KeysView['candidate']>['passkey']>): TemplateResult {
  const facts = {
    name: html`<bdi>${visible(label)}</bdi>`,
    origin: html`<bdi dir="ltr">${visible(origin)}</bdi>`,
  };
  return html`<p data-part="passkey"><span>${th('The passkey “{name}”, which signs at {origin}.', facts)}</span></p>`;
}

function losses(view: KeysView): (TemplateResult | typeof nothing)[] {
  return view.retired
    .filter(({ why }) => why === 'lost')
    .map(
      ({ name, at }) =>
        html`<p class="notice notice-warning" data-note="lost">
          ${icon('warning')}<span
            >${th('The key of {name} was reported lost {time}. Teammates and CI that trust it need the new public key and should remove the old one.', { name: html`<bdi>${visible(name)}</bdi>`, time: timeTag(at, ago(at)) })}</span
          >
        </p>`,
    );
}

function retired(view: KeysView): TemplateResult | typeof nothing {
  if (view.retired.length === 0) return nothing;
  return html`<h2 class="plain-head">${t('Revoked keys')}</h2>
    <ul class="agents">
      ${view.retired.map(
        (key) =>
          html`<li>
            <bdi class="agent-what">${visible(key.name)}</bdi>
            <span class="quiet">${whyWords[key.why]} · ${timeTag(key.at, ago(key.at))}</span>
            ${fingerprint(key.fingerprint)}
          </li>`,
      )}
    </ul>`;
}
