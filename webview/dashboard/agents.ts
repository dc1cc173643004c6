/** For each agent: what it waits for and how long, what it does now, and decisions that it has not picked up. */
import { shownAgent } from '../../src/core/kit/persons.ts';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import type { AgentsView } from '../../src/ui/dashboard/view.ts';
import { icon } from '../shared/icons.ts';
import { t, tn } from '../shared/strings.ts';
import { ago, duration, since, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { emptyState, firstOf, opens } from './parts.ts';
import type { Page } from './page.ts';

/** Those that wait longest come first; a list of five hundred is too long to read. */
const firstAgents = 30;

type Agent = AgentsView['agents'][number];

export function agents(page: Page, { agents: all, own = null }: AgentsView): TemplateResult {
  if (all.length === 0)
    return emptyState(t('No agents yet.'), t('No agent is working. When one stops to ask, its question appears here.'));
  const { shown, more } = firstOf(page, 'agents.all', all, firstAgents);
  return html`<ul class="agents-list">
      ${shown.map((one) => agent(page, one, own))}
    </ul>
    ${more}`;
}

function agent(page: Page, one: Agent, own: string | null): TemplateResult {
  const { agent_id: id, label, waits_on: waitsOn, waited_ms: waited, doing, unacknowledged } = one;
  return html`<li class="agent">
    <h2>
      <bdi>${visible(shownAgent(id, own))}</bdi>${
        label === id ? nothing : html` <span class="quiet"><bdi>${visible(label)}</bdi></span>`
      }
      <span class="agent-state">${standing(waitsOn)}</span>
    </h2>
    <p class="quiet">
      ${waited === null ? t('Has not waited for a human yet') : t('Cost of waiting so far: {time}', { time: duration(waited) })}
    </p>
    ${ended(one.questions)}
    ${
      waitsOn.length === 0
        ? nothing
        : html`<ul class="rows-list">
            ${waitsOn.map(
              (wait) =>
                html`<li>
                  ${opens(page, wait)}
                  <span class="quiet"
                    >· ${t('waiting {time}', { time: since(wait.since) })} ·
                    ${wait.holds === 0 ? t('holds nothing') : tn(wait.holds, 'holds {n} item', 'holds {n} items')} ·
                    ${wait.stops ? t('stopped until the answer') : t('still working')}</span
                  >
                </li>`,
            )}
          </ul>`
    }
    ${
      !waitsOn.some(({ kind }) => kind === 'question')
        ? nothing
        : html`<p>
            ${link(t('Dismiss all…'), () => page.dispatch({ type: 'releaseAll', agent: id }), { act: 'release-all' })}
          </p>`
    }
    ${
      doing.length === 0
        ? html`<p class="quiet">${t('Not working on anything.')}</p>`
        : html`<h3>${t('Working on')}</h3>
            <ul class="rows-list">
              ${doing.map(
                (item) =>
                  html`<li>
                    ${link(html`<bdi>${visible(item.title)}</bdi>`, () => page.dispatch({ type: 'work', id: item.id }), { act: 'work' })}${
                      item.step === null ? nothing : html`: <bdi>${visible(item.step)}</bdi>`
                    }
                    <span class="quiet">${visible(item.id)} ${item.held ? t('(held)') : nothing}</span>
                  </li>`,
              )}
            </ul>`
    }
    ${
      unacknowledged.length === 0
        ? nothing
        : html`<h3>${t('Decided, not picked up yet')}</h3>
            <ul class="rows-list">
              ${unacknowledged.map(
                (done) =>
                  html`<li>
                    ${opens(page, done)}
                    <span class="quiet"
                      >· ${timeTag(done.decided_at, t('decided {time}', { time: ago(done.decided_at) }))}</span
                    >
                  </li>`,
              )}
            </ul>`
    }
  </li>`;
}

/** How its questions ended; nothing before the first has. */
function ended({
  answered_in_one_go,
  asked_back,
  cancelled,
  not_needed,
}: Agent['questions']): TemplateResult | typeof nothing {
  const parts = [
    [answered_in_one_go, t('{n} answered in one go', { n: answered_in_one_go })],
    [asked_back, t('{n} asked back', { n: asked_back })],
    [cancelled, t('{n} no longer needed', { n: cancelled })],
    [not_needed, t('{n} not needed (dismissed or withdrawn)', { n: not_needed })],
  ] as const;
  if (parts.every(([n]) => n === 0)) return nothing;
  return html`<p class="quiet ended">
    ${t('Its questions: {counts}', { counts: parts.map(([, words]) => words).join(', ') })}
  </p>`;
}

/** Stuck or not, and since when. */
function standing(waitsOn: Agent['waits_on']): TemplateResult {
  const [stopping] = waitsOn.filter(({ stops }) => stops);
  if (stopping) return html`${icon('debug-pause')}${t('stopped for {time}', { time: duration(stopping.waiting_ms) })}`;
  if (waitsOn.length === 0) return html`<span class="quiet">${t('not waiting')}</span>`;
  return html`${icon('watch')}${tn(waitsOn.length, 'waits for {n} item', 'waits for {n} items')}`;
}
