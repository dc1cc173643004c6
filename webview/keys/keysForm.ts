/** The keys whose decisions count on this machine: this editor's, others', retired ones, and a form to trust another. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, notice } from '../shared/buttons.ts';
import type { KeysView } from '../../src/ui/answer/keys.ts';
import { formOf, refusal, secondStep, waiting } from '../shared/deciding.ts';
import { inputField, textBox } from '../shared/fields.ts';
import { icon } from '../shared/icons.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { passkeys } from './passkeys.ts';
import { copyKey, fingerprint, remoteNote } from './parts.ts';
import type { AskedOfKeys, KeysPage as Page } from './acts.ts';
import { done, leave, locked, wideTitle } from '../shared/wide.ts';

const whyWords = {
  rotated: t('replaced by a new key'),
  lost: t('lost'),
  takenOut: t('removed'),
  stranger: t('removed, never added by a form'),
};

const maxPaste = 10_000;

export function keysForm(page: Page, view: KeysView): TemplateResult {
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

function own(page: Page, view: KeysView, free: boolean, asked: AskedOfKeys | undefined): TemplateResult {
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

function others(page: Page, view: KeysView, free: boolean, asked: AskedOfKeys | undefined): TemplateResult {
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
  page: Page,
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
export function begin(page: Page, what: AskedOfKeys, label: string, name: string): TemplateResult {
  return button(label, () => page.changeKeys(what), { act: name });
}

interface Second {
  readonly ask: string;
  readonly more: string;
  readonly yes: string;
}

function second(page: Page, what: AskedOfKeys, { ask, more, yes }: Second): TemplateResult {
  return secondStep(page, {
    ask,
    content: html`<p>${more}</p>`,
    yes,
    act: () => page.changeKeys(what),
  });
}

function paste(page: Page, view: KeysView, disabled: boolean): TemplateResult {
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
function candidate(page: Page, view: KeysView, busy: boolean): TemplateResult | typeof nothing {
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
