/** The file scope of a hold: its text in the form, and the confirmation for changing it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from './buttons.ts';
import type { AllFiles } from '../../src/ui/kit/view.ts';
import { t, th } from './strings.ts';
import { clockTime, timeTag } from './time.ts';
import { visible } from './visible.ts';

/** The acts: hold every file, or go back to the named files. */
export const holdPanels = ['holdAll', 'holdNamed'] as const;
export type HoldPanel = (typeof holdPanels)[number];

export const holdWords = {
  holdAll: { open: t('Hold all files…'), title: t('Hold all files'), send: t('Hold all files') },
  holdNamed: {
    open: t('Hold only the named files…'),
    title: t('Hold only the named files'),
    send: t('Hold only the named files'),
  },
} as const satisfies Record<HoldPanel, Record<'open' | 'title' | 'send', string>>;

export function isHoldPanel(panel: string): panel is HoldPanel {
  return holdPanels.some((one) => one === panel);
}

/** "All files of this workspace, by you since 12:04" */
export function allFilesLine({ by, at }: AllFiles): TemplateResult {
  const who = by.you ? t('you') : html`<bdi>${visible(by.name)}</bdi>`;
  return html`<span
    >${th('All files of this workspace, by {who} since {time}', { who, time: timeTag(at, clockTime(at)) })}</span
  >`;
}

/** Opens and closes the confirmation; decides nothing. It stays in place, so nothing moves under the pointer. */
export function holdLink(panel: HoldPanel, isOpen: boolean, toggle: () => void): TemplateResult {
  return link(holdWords[panel].open, toggle, { act: `open-${panel}`, focus: `open.${panel}`, expanded: isOpen });
}

/** The effect. @param files the named files */
export function holdEffect(panel: HoldPanel, files: readonly string[]): TemplateResult {
  if (panel === 'holdAll')
    return html`<p>
      ${t('Blocks edits, writing commands and commits by every agent, in all worktrees of this workspace. Reading still works. It ends when this is decided.')}
    </p>`;
  return html`<p>
      ${files.length === 0 ? t('All files are released, because none was named. Held work stays held until this is decided.') : t('All other files are released. These stay held until this is decided:')}
    </p>
    ${files.length === 0 ? nothing : html`<p class="globs">${files.map((glob) => html`<code dir="ltr">${visible(glob)}</code>`)}</p>`}`;
}
