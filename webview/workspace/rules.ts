/** Rules on people: which decisions take several of them. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { link, visible, visibleText } from '../shared/elements.ts';
import { hintFor } from '../shared/fields.ts';
import { t } from '../shared/strings.ts';
import type { WorkspacePage as Page } from './acts.ts';
import type { PolicyDraft } from './policyActs.ts';

export function ruleFields(page: Page, view: PolicyView, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return html`<div class="policy-field">
    <label class="field-label" for="rules">${t('Decisions by several people')}</label>
    ${proposed(page, view, disabled)}
    <textarea
      id="rules"
      class="text"
      dir="ltr"
      rows="3"
      spellcheck="false"
      autocomplete="off"
      autocapitalize="off"
      placeholder=${t('for example payments/**: 2 of ada, grace, linus')}
      data-focus="rules"
      aria-invalid=${page.hint()?.field === 'rules' ? 'true' : nothing}
      aria-describedby="rules-hint"
      ?disabled=${disabled}
      .value=${live(draft.rules)}
      @input=${(event: Event) => {
        page.editPolicy({ rules: (event.currentTarget as HTMLTextAreaElement).value });
      }}
    ></textarea>
    ${hintFor(page, 'rules')}
    <p class="quiet small" id="rules-hint">
      ${t('One rule per line: the items it covers (file patterns, urgencies, clarification, decision, approval, rfc, or everything), how many, and of whom. Changing a rule needs the approvals it requires.')}
      ${t('“critical: passkey” asks for a passkey instead. Then only passkeys of this workspace sign such decisions, in a browser, and only a passkey loosens that rule.')}
      ${view.ring.length === 0 ? nothing : t('Keys here: {names}.', { names: visibleText(view.ring.join(', ')) })}
    </p>
  </div>`;
}

/** Changes that need more people, who must sign the same. */
function proposed(page: Page, { proposedRules }: PolicyView, disabled: boolean): TemplateResult | typeof nothing {
  if (proposedRules.length === 0) return nothing;
  return html`<ul class="list proposed-rules">
    ${proposedRules.map(
      ({ text, rules }) =>
        html`<li>
          <bdi>${visible(text)}</bdi>: <bdi>${visible(ruleWords(rules))}</bdi>
          ${
            disabled
              ? nothing
              : link(t('Use this answer'), () => page.editPolicy({ rules: rules.join('\n') }), { act: 'same-rules' })
          }
        </li>`,
    )}
  </ul>`;
}

export function ruleWords(rules: readonly string[]): string {
  return rules.length === 0 ? t('none') : rules.join('; ');
}
