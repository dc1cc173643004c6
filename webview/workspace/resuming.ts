/** Hosts whose parked sessions an answer starts again by itself. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PolicyView } from '../../src/protocol/workspace/forms.ts';
import { t } from '../shared/strings.ts';
import type { Key } from '../shared/strings.ts';

type Hosts = PolicyView['resuming'];

/** A product, with the command that is started. */
const names = {
  'claude-code': 'policy.resumeClaude',
  codex: 'policy.resumeCodex',
  'copilot-cli': 'policy.resumeCopilot',
  opencode: 'policy.resumeOpencode',
} as const satisfies Record<Hosts[number], Key>;
const order = ['claude-code', 'codex', 'copilot-cli', 'opencode'] as const satisfies Hosts;

/** The hosts among the names, always in the same order. */
export function resumableHosts(among: readonly string[]): Hosts {
  return order.filter((host) => among.includes(host));
}

export function resumingWords(hosts: Hosts): string {
  const chosen = resumableHosts(hosts);
  return chosen.length === 0 ? t('policy.resumingNone') : chosen.map((host) => t(names[host])).join(', ');
}

export function resumingFields(
  hosts: Hosts,
  { disabled, edit }: { readonly disabled: boolean; readonly edit: (hosts: Hosts) => void },
): TemplateResult {
  return html`<fieldset class="resuming" ?disabled=${disabled} aria-describedby="resuming-hint">
    <legend class="field-label">${t('policy.resuming')}</legend>
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
        <span>${t(names[host])}</span>
      </label>`;
    })}
    <p class="quiet small" id="resuming-hint">${t('policy.resumingHint')}</p>
  </fieldset>`;
}
