/** What starts a parked agent again, the exact command with it, and what was started. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionForm, Resume } from '../../src/ui/answer/question.ts';
import { button } from '../shared/buttons.ts';
import { icon } from '../shared/icons.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import type { Page } from './page.ts';

export function resumeLines(page: Page, { key, resume, resolution }: QuestionForm): TemplateResult | typeof nothing {
  if (!resume) return nothing;
  const offers = resolution.type !== 'pending' ? buttonOf(resume) : null;
  const start = () => {
    page.dispatch({ type: 'resume', key });
  };
  return html`<div class="resume" data-part="resume" role="status">
    <p class="delivery">${icon('debug-continue')}<span>${words(resume, resolution.type === 'pending')}</span></p>
    ${'command' in resume ? html`<pre class="resume-command" dir="ltr" tabindex="0">${visible(resume.command)}</pre>` : nothing}
    ${'folder' in resume ? html`<p class="quiet small" dir="ltr">${visible(resume.folder)}</p>` : nothing}
    ${offers === null ? nothing : html`<div class="actions">${button(offers, start, { act: 'resume', once: true })}</div>`}
  </div>`;
}

function buttonOf(resume: Resume): string | null {
  switch (resume.type) {
    case 'chat':
      return t('Open a Chat');
    case 'started':
      return resume.here ? t('Show Terminal') : null;
    case 'willStart':
    case 'canStart':
      return resume.again ? t('Resume Again') : t('Resume the Agent');
    case 'running':
    case 'elsewhere':
    case 'missing':
      return null;
  }
}

function words(resume: Resume, isPending: boolean): unknown {
  switch (resume.type) {
    case 'chat':
      return t('The chat opens with a prompt. Nothing is sent until you send it.');
    case 'started': {
      const time = timeTag(resume.at, ago(resume.at));
      return th('Started {time} in the terminal {name}:', { time, name: html`<bdi>${visible(resume.terminal)}</bdi>` });
    }
    case 'willStart':
      return t('Answering starts it again in a terminal:');
    case 'canStart':
      return isPending
        ? t('After answering, you can start it again in a terminal:')
        : t('You can start it again in a terminal:');
    case 'missing':
      return th(
        '{program} is not on the PATH, so {agent} cannot be started from here. Its next session gets your answer.',
        { program: html`<code>${visible(resume.program)}</code>`, agent: bdi(resume.agent) },
      );
    case 'running':
      return th('{agent} is still running, so it is not started again. It gets your answer with its next prompt.', {
        agent: bdi(resume.agent),
      });
    case 'elsewhere':
      return th('{agent} was not parked in this folder. Its next session gets your answer.', {
        agent: bdi(resume.agent),
      });
  }
}

function bdi(name: string): TemplateResult {
  return html`<bdi>${visible(name)}</bdi>`;
}
