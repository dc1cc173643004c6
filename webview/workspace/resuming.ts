/** Hosts whose parked sessions an answer starts again by itself. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { t } from '../shared/strings.ts';

type Hosts = PolicyView['resuming'];

/** A product, with the command that is started. */
const names = {
  'claude-code': t('Claude Code (claude --resume)'),
  codex: t('Codex (codex resume)'),
  'copilot-cli': t('Copilot CLI (copilot --resume)'),
  opencode: t('opencode (opencode run --session)'),
} as const satisfies Record<Hosts[number], string>;
const order = ['claude-code', 'codex', 'copilot-cli', 'opencode'] as const satisfies Hosts;

/** The hosts among the names, always in the same order. */
export function resumableHosts(among: readonly string[]): Hosts {
  return order.filter((host) => among.includes(host));
}

export function resumingWords(hosts: Hosts): string {
  const chosen = resumableHosts(hosts);
  return chosen.length === 0 ? t('None') : chosen.map((host) => names[host]).join(', ');
}

export function resumingFields(
  hosts: Hosts,
  { disabled, edit }: { readonly disabled: boolean; readonly edit: (hosts: Hosts) => void },
): TemplateResult {
  return html`<fieldset class="resuming" ?disabled=${disabled} aria-describedby="resuming-hint">
    <legend class="field-label">${t('When you answer, restart these parked agents')}</legend>
    ${order.map((host) => {
      const isOn = hosts.includes(host);
      const next = () => (isOn ? hosts.filter((one) => one !== host) : [...hosts, host]);
      return html`<label class="resuming-host">
        <input
          type="checkbox"
          data-focus="resume-${host}"
          .checked=${live(isOn)}
          @change=${() => {
            edit(next());
          }}
        />
        <span>${names[host]}</span>
      </label>`;
    })}
    <p class="quiet small" id="resuming-hint">
      ${t('Off: the form offers a button instead. On: the window starts the program in a terminal, in the folder of its session, with your account, as the form shows before you answer.')}
    </p>
  </fieldset>`;
}
