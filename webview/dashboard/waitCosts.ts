/** What waiting cost: caches that expired, tokens that were paid for again, and what is unknown. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { AgentsView } from '../../src/protocol/dashboard/dashboard.ts';
import { t, tn } from '../shared/strings.ts';
import { duration } from '../shared/time.ts';
import { money, tokensText } from '../shared/tokens.ts';
import { visibleText } from '../shared/visible.ts';
import { part, table } from './parts.ts';

type Costs = AgentsView['agents'][number]['cost'];
type Currency = AgentsView['currency'];

/** Of one agent; nothing if nothing stopped it. */
export function agentCost(cost: Costs, currency: Currency): TemplateResult | typeof nothing {
  const { expired_caches: expired, unknown_caches: caches, unknown_items: items } = cost;
  const unknown = caches + items;
  const parts = [
    ...(expired === 0 ? [] : [tn('agents.expired', expired, { tokens: paid(cost, currency) })]),
    ...(unknown === 0 ? [] : [tn('agents.costUnknown', unknown)]),
  ];
  return parts.length === 0 ? nothing : html`<p class="quiet cost">${parts.join(' · ')}</p>`;
}

/** By type of question, with the reason if prices cannot be read. */
export function costsByType(view: AgentsView): TemplateResult | typeof nothing {
  const { by_type: types, currency, prices_problem: problem } = view;
  if (types.length === 0) return nothing;
  const number = (head: string) => ({ head, numeric: true });
  const columns = [
    { head: t('agents.type') },
    number(t('agents.typeWaited')),
    number(t('agents.typeExpired')),
    number(t('agents.typeTokens')),
    number(t('agents.typeUnknown')),
  ];
  const rows = types.map((one) => [
    t(`kind.${one.type}`),
    duration(one.waited_ms),
    one.expired_caches,
    one.tokens_lost === 0 ? '–' : paid(one, currency),
    one.unknown_caches + one.unknown_items,
  ]);
  return part(
    t('agents.byType'),
    table(t('agents.byType'), columns, rows),
    html`<p class="quiet">${t('agents.costHint')}</p>`,
    problem === null ? nothing : html`<p class="quiet">${t('agents.prices', { problem: visibleText(problem) })}</p>`,
  );
}

/** 540k, or 540k (2.70 USD). */
function paid({ tokens_lost: tokens, price }: Costs, currency: Currency): string {
  const count = tokensText(tokens);
  return price === null ? count : t('agents.paid', { tokens: count, price: money(price, visibleText(currency ?? '')) });
}
