/** The "Answer" view: connects host, state and rendering. */
import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { UnavailableView } from '../../src/ui/kit/view.ts';
import type { QuestionMessage } from '../../src/ui/answer/messages.ts';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import '../shared/base.css';
import '../shared/codicons.css';
import '../shared/form.css';
import '../shared/markdown.css';
import '../shared/people.css';
import { link } from '../shared/buttons.ts';
import { onceFocused } from '../shared/focusing.ts';
import { createSeen } from '../shared/seen.ts';
import { t, tn } from '../shared/strings.ts';
import { startSurface } from '../shared/surface.ts';
import { unavailable } from '../shared/unavailable.ts';
import { connect } from '../shared/vscode.ts';
import { assumptionsForm } from './assumptionsForm.ts';
import { grantFocus } from './focus.ts';
import { appointForm } from '../request/appointForm.ts';
import { askForm } from '../request/askForm.ts';
import { twoColumns } from './context.ts';
import { onEarlierKey } from './earlier.ts';
import { onNumberKey, onQueueKey } from './keys.ts';
import { enrol } from '../keys/enrolForm.ts';
import { keysForm } from '../keys/keysForm.ts';
import { nothingWaits } from './otherViews.ts';
import { createPage } from './page.ts';
import type { Page } from './page.ts';
import { policyForm } from '../workspace/policyForm.ts';
import '../keys/keys.css';
import { leaveForm } from '../team/leaveForm.ts';
import { shareForm } from '../team/shareForm.ts';
import '../team/team.css';
import '../recovery/recovery.css';
import '../request/request.css';
import '../workspace/workspace.css';
import './assumptions.css';
import './question.css';
import './queue.css';
import './thread.css';
import { questionForm } from './questionForm.ts';
import { queueBar } from './queue.ts';
import { recovery } from '../recovery/form.ts';
import { releaseAllForm } from '../workspace/releaseAllForm.ts';
import { requestForm } from '../request/form.ts';
import { sections } from './sections.ts';
import { workForm } from '../workspace/workForm.ts';
import { togetherForm } from './togetherForm.ts';
import { parseSaved } from './saved.ts';
import type { Saved } from './saved.ts';

function viewOf(page: Page, { view }: Snapshot): TemplateResult {
  switch (view.type) {
    case 'question':
      return questionForm(page, view);
    case 'nothing':
      return nothingWaits(page, view);
    case 'policy':
      return policyForm(page, view);
    case 'assumptions':
      return assumptionsForm(page, view);
    case 'together':
      return togetherForm(page, view);
    case 'releaseAll':
      return releaseAllForm(page, view);
    case 'work':
      return workForm(page, view);
    case 'request':
      return requestForm(page, view);
    case 'ask':
      return askForm(page, view);
    case 'appoint':
      return appointForm(page, view);
    case 'recovery':
      return recovery(page, view);
    case 'keys':
      return keysForm(page, view);
    case 'share':
      return shareForm(page, view);
    case 'leave':
      return leaveForm(page, view);
    case 'enrol':
      return enrol(page, view);
    case 'unavailable':
      return unavailable(page, view, recoveryOptions(page, view));
  }
}

/** For a store that a newer version wrote, or a program that poses as one. */
function recoveryOptions(page: Page, { recovery: key }: UnavailableView): TemplateResult | typeof nothing {
  if (key === undefined) return nothing;
  return html`<p class="quiet">
      ${t('No newer version to install? Then another program has written this, and you can go back to what this editor knows.')}
    </p>
    ${link(t('Show recovery options'), () => page.dispatch({ type: 'select', key }), { act: 'recovery-options' })}`;
}

/** Below everything, so that no agent pushes the form away. */
function ignored(page: Page, { ignored: count }: Snapshot): TemplateResult | typeof nothing {
  if (count === undefined) return nothing;
  return html`<p class="ignored quiet small">
    ${tn(count, '{n} record was ignored: no key that is trusted here signed it.', '{n} records were ignored: no key that is trusted here signed them.')}
    ${link(t('Open the audit'), () => page.dispatch({ type: 'openAudit' }), { act: 'open-audit' })}
  </p>`;
}

/** The item rendered last: a different one starts scrolled to its top. */
let shownKey = '';

function draw(page: Page, root: HTMLElement): void {
  const snapshot = page.snapshot();
  if (!snapshot) return;
  const key = 'key' in snapshot.view ? snapshot.view.key : snapshot.view.type;
  document.body.classList.toggle('tab', snapshot.tab === true);
  document.body.classList.toggle('queue', snapshot.queue !== undefined);
  if (key !== shownKey) window.scrollTo(0, 0);
  shownKey = key;
  const had = root.contains(document.activeElement) && document.activeElement !== root;
  render(
    html`
      <div class="sr-only" role="status">${page.spoken()}</div>
      <main aria-label=${t('Answer')} data-view=${snapshot.view.type} data-ready=${page.ready() ? 'true' : 'false'}>
        ${sections(page, snapshot)} ${queueBar(page)} ${keyed(key, viewOf(page, snapshot))} ${ignored(page, snapshot)}
      </main>
    `,
    root,
  );
  page.drawn();
  const lost = had && !root.contains(document.activeElement);
  const place = page.takeFocus() ?? (lost ? 'form' : undefined);
  if (place !== undefined)
    onceFocused(() => {
      grantFocus(root, place);
    });
}

const page = startSurface<Snapshot, Page>({
  open: (changed) => {
    twoColumns.addEventListener('change', changed);
    return createPage({
      host: connect<QuestionMessage, Saved>(parseSaved),
      newAct: () => crypto.randomUUID(),
      clock: () => performance.now(),
      later: (ms, run) => setTimeout(run, ms),
      changed,
      watch: createSeen,
    });
  },
  receive: (opened, snapshot) => opened.receive(snapshot),
  draw,
});
document.addEventListener('keydown', (event) => {
  onQueueKey(page, event);
  onNumberKey(page, event);
  onEarlierKey(page, event);
});
page.dispatch({ type: 'ready' });
