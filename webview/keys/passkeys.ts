/** The passkeys in the Keys form: where each signs, when it last did, and what can be done with it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { KeysView } from '../../src/ui/answer/keys.ts';
import { button, notice } from '../shared/buttons.ts';
import { secondStep } from '../shared/deciding.ts';
import { inputField } from '../shared/fields.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import type { AskedOfKeys, KeysPage as Page } from './acts.ts';
import { fingerprint } from './parts.ts';

type Passkey = KeysView['passkeys'][number];
type AskedOfPasskey = Extract<AskedOfKeys, { do: `${string}Passkey` }>;

interface Acting {
  /** Whether another act can begin. */
  readonly free: boolean;
  readonly asked: AskedOfKeys | undefined;
}

export function passkeys(page: Page, view: KeysView, acting: Acting): TemplateResult {
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

function row(page: Page, view: KeysView, one: Passkey, { free, asked }: Acting): TemplateResult {
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
    ${isAsked ? second(page, asked, one) : free ? acts(page, view, one) : nothing}
  </li>`;
}

function isOfPasskey(asked: AskedOfKeys): asked is AskedOfPasskey {
  return asked.do === 'renamePasskey' || asked.do === 'giveUpPasskey' || asked.do === 'confirmPasskey';
}

function acts(page: Page, { key }: KeysView, { keyid, label, confirm, changeable }: Passkey): TemplateResult {
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

function second(page: Page, asked: AskedOfPasskey, { label }: Passkey): TemplateResult {
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
