/** For each agent: what it waits for and how long, what it does now, and decisions that it has not picked up. */
import { shownAgent } from '../../src/core/kit/persons.ts';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import type { AgentsView } from '../../src/protocol/dashboard/dashboard.ts';
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
  if (all.length === 0) return emptyState(t('agents.empty'), t('nothing.idle'));
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
    <p class="quiet">${waited === null ? t('agents.waitedNone') : t('agents.waited', { time: duration(waited) })}</p>
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
                    >· ${t('agents.since', { time: since(wait.since) })} ·
                    ${wait.holds === 0 ? t('agents.holdsNone') : tn('agents.holds', wait.holds)} ·
                    ${t(wait.stops ? 'agents.stopsHere' : 'agents.continues')}</span
                  >
                </li>`,
            )}
          </ul>`
    }
    ${
      !waitsOn.some(({ kind }) => kind === 'question')
        ? nothing
        : html`<p>
            ${link(t('agents.releaseAll'), () => page.dispatch({ type: 'releaseAll', agent: id }), { act: 'release-all' })}
          </p>`
    }
    ${
      doing.length === 0
        ? html`<p class="quiet">${t('agents.idle')}</p>`
        : html`<h3>${t('agents.doing')}</h3>
            <ul class="rows-list">
              ${doing.map(
                (item) =>
                  html`<li>
                    ${link(html`<bdi>${visible(item.title)}</bdi>`, () => page.dispatch({ type: 'work', id: item.id }), { act: 'work' })}${
                      item.step === null ? nothing : html`: <bdi>${visible(item.step)}</bdi>`
                    }
                    <span class="quiet">${visible(item.id)} ${item.held ? t('agents.heldItem') : nothing}</span>
                  </li>`,
              )}
            </ul>`
    }
    ${
      unacknowledged.length === 0
        ? nothing
        : html`<h3>${t('agents.notPickedUp')}</h3>
            <ul class="rows-list">
              ${unacknowledged.map(
                (done) =>
                  html`<li>
                    ${opens(page, done)}
                    <span class="quiet"
                      >· ${timeTag(done.decided_at, t('agents.decided', { time: ago(done.decided_at) }))}</span
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
    [answered_in_one_go, 'agents.inOneGo'],
    [asked_back, 'agents.askedBack'],
    [cancelled, 'agents.cancelled'],
    [not_needed, 'agents.notNeeded'],
  ] as const;
  if (parts.every(([n]) => n === 0)) return nothing;
  return html`<p class="quiet ended">
    ${t('agents.ended', { counts: parts.map(([n, key]) => t(key, { n })).join(', ') })}
  </p>`;
}

/** Stuck or not, and since when. */
function standing(waitsOn: Agent['waits_on']): TemplateResult {
  const [stopping] = waitsOn.filter(({ stops }) => stops);
  if (stopping) return html`${icon('debug-pause')}${t('agents.stopped', { time: duration(stopping.waiting_ms) })}`;
  if (waitsOn.length === 0) return html`<span class="quiet">${t('agents.waitsNone')}</span>`;
  return html`${icon('watch')}${tn('agents.waits', waitsOn.length)}`;
}
