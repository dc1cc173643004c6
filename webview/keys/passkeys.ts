/** The passkeys in the Keys form: where each signs, when it last did, and what can be done with it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { KeysView } from '../../src/protocol/keys/forms.ts';
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
  return html`<h2 class="plain-head">${t('passkeys.title')}</h2>
    <p class="quiet small">${t('passkeys.about')}</p>
    ${
      view.passkeys.length === 0
        ? html`<p class="quiet">${t('keys.othersNone')}</p>`
        : html`<ul class="agents">
            ${view.passkeys.map((one) => row(page, view, one, acting))}
          </ul>`
    }
    ${
      acting.free && view.addsPasskeys
        ? html`<div class="actions">
            ${button(t(view.remote === undefined ? 'passkeys.add' : 'passkeys.instead'), () => page.dispatch({ type: 'addPasskey', key: view.key }), { act: 'add-passkey' })}
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
      >${th('passkeys.since', { time: timeTag(since, ago(since)) })} ·
      ${used === undefined ? t('passkeys.unused') : th('passkeys.used', { time: timeTag(used, ago(used)) })}</span
    >
    ${fingerprint(one.fingerprint)} ${stranger ? notice('warning', 'warning', t('keys.stranger')) : nothing}
    ${counts ? nothing : notice('info', 'shield', t('passkeys.notCounted'))}
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
    ${confirm === 'here' ? begin({ do: 'confirmPasskey', keyid }, t('passkeys.confirm'), 'confirm-passkey') : nothing}
    ${confirm === 'browser' ? button(t('passkeys.confirmInBrowser'), inBrowser, { act: 'open-in-browser' }) : nothing}
    ${changeable ? begin({ do: 'renamePasskey', keyid, label }, t('passkeys.rename'), 'rename-passkey') : nothing}
    ${changeable ? begin({ do: 'giveUpPasskey', keyid }, t('passkeys.giveUp'), 'give-up') : nothing}
  </div>`;
}

function second(page: Page, asked: AskedOfPasskey, { label }: Passkey): TemplateResult {
  const name = visibleText(label);
  if (asked.do !== 'renamePasskey')
    return secondStep(page, {
      ask: t(asked.do === 'giveUpPasskey' ? 'passkeys.giveUpAsk' : 'passkeys.confirmAsk', { name }),
      content: html`<p>${t(asked.do === 'giveUpPasskey' ? 'passkeys.giveUpMore' : 'passkeys.confirmMore')}</p>`,
      yes: t(asked.do === 'giveUpPasskey' ? 'passkeys.giveUpYes' : 'passkeys.confirmYes'),
      act: () => page.changeKeys(asked),
    });
  const typed = page.passkeyLabel(asked.keyid) ?? label;
  return secondStep(page, {
    ask: t('passkeys.renameAsk', { name }),
    content: inputField(page, {
      ...{ name: 'passkeyLabel', label: t('passkeys.label'), value: typed, disabled: false, maxLength: 100 },
      kind: 'appoint-field',
      edit: (text) => page.setPasskeyLabel(asked.keyid, text),
    }),
    yes: t('passkeys.renameYes'),
    act: () => page.changeKeys({ ...asked, label: typed.trim() === '' ? label : typed.trim() }),
  });
}
