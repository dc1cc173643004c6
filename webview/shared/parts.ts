/** Parts that forms show: collapsible ones, long texts, files, and changes of held files. */
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { HeldFileMessage } from '../../src/ui/answer/messages.ts';
import type { AllFiles, FileRef } from '../../src/ui/kit/view.ts';
import type { HeldChangesView } from '../../src/ui/surface/heldFiles.ts';
import { byHuman, icon, link, visible, visibleText, bdi, codeOf, line } from './elements.ts';
import type { Folds, OpensFiles } from './signing.ts';
import { t, th } from './strings.ts';
import { clockTime, timeTag, agoTag } from './time.ts';

/** A collapsible part with a heading; its state is kept over reloads. */
export function part(page: Folds, name: string, heading: unknown, content: unknown): TemplateResult {
  const open = page.isUnfolded(name);
  const toggled = (event: Event): void => {
    const details = event.currentTarget as HTMLDetailsElement;
    if (details.open !== page.isUnfolded(name)) page.unfold(name, details.open);
  };
  return html`<details class="part" ?open=${open} @toggle=${toggled}>
    <summary>${heading}</summary>
    <div class="part-content">${content}</div>
  </details>`;
}

/** What happened to an item, and how long ago. */
export function history(
  page: Folds,
  heading: string,
  all: readonly { readonly text: string; readonly at: string }[],
): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return part(
    page,
    'history',
    heading,
    html`<ol class="list">
      ${all.map(({ text, at }) => html`<li dir="auto">${visible(text)} <span class="quiet">${agoTag(at)}</span></li>`)}
    </ol>`,
  );
}

const fewAre = 6;

/** The start of a list, and a link that shows the rest. */
export function limitItems<Item>(page: Folds, name: string, items: readonly Item[]) {
  const part = `${name}.list`;
  const open = page.isUnfolded(part);
  // Shows one more item rather than a link of the same size.
  if (items.length <= fewAre + 1) return { items, more: nothing };
  const more = link(
    open ? t('Show less') : t('and {n} more', { n: items.length - fewAre }),
    () => page.unfold(part, !open),
    { expanded: open },
  );
  return { items: open ? items : items.slice(0, fewAre), more };
}

/** Marks a box whose text is cut off. */
let sizes: ResizeObserver | undefined;

function mark(box: Element): void {
  const wrapper = box.parentElement;
  if (wrapper && !wrapper.classList.contains('open')) {
    wrapper.classList.toggle('long', box.scrollHeight > box.clientHeight + 4);
  }
}

/** A text that is collapsed after six lines. */
export function clampedContent(page: Folds, name: string, content: HTMLElement): TemplateResult {
  const part = `${name}.all`;
  const open = page.isUnfolded(part);
  const watch = (box: Element | undefined): void => {
    sizes ??= new ResizeObserver((entries) => {
      for (const { target } of entries) mark(target);
    });
    if (box) sizes.observe(box);
  };
  return html`<div class="clamped ${open ? 'open long' : ''}">
    <div
      class="clamped-text"
      id="clamped-${name}"
      ${ref(watch)}
      @focusin=${({ target }: Event) => {
        // A focused element inside may be cut off, but the start of the text is not.
        if (!open && target !== content) page.unfold(part, true);
      }}
    >
      ${content}
    </div>
    <button
      type="button"
      class="link clamped-more"
      aria-expanded=${open ? 'true' : 'false'}
      aria-controls="clamped-${name}"
      @click=${() => {
        page.unfold(part, !open);
      }}
    >
      ${open ? t('Show less') : t('Show more')}
    </button>
  </div>`;
}

/** Files as chips: the name first, then its folder, as the editor lists files. */
export function fileChips(
  page: Folds & OpensFiles,
  key: string,
  name: string,
  files: readonly FileRef[],
): TemplateResult {
  const { items, more } = limitItems(page, name, files);
  return html`<ul class="chips">
    ${items.map((file) => html`<li>${fileChip(page, key, file)}</li>`)}
    ${more === nothing ? nothing : html`<li>${more}</li>`}
  </ul>`;
}

export function fileChip(page: OpensFiles, key: string, file: FileRef): TemplateResult {
  const slash = file.path.lastIndexOf('/');
  const name = file.path.slice(slash + 1);
  const place = visibleText(file.line === undefined ? file.path : `${file.path}:${file.line}`);
  const content = html`${icon(file.exists ? 'file' : 'circle-slash')}<bdi class="cut chip-name"
      >${visible(name)}${file.line === undefined ? nothing : `:${file.line}`}</bdi
    >${slash > 0 ? html`<bdi class="cut chip-folder">${visible(file.path.slice(0, slash))}</bdi>` : nothing}`;
  if (!file.exists) {
    const gone = t('{path} does not exist', { path: place });
    return html`<span class="chip chip-gone" title=${gone}>${content}<span class="sr-only">${gone}</span></span>`;
  }
  const open = byHuman(() =>
    page.dispatch({ type: 'openFile', key, path: file.path, ...(file.line === undefined ? {} : { line: file.line }) }),
  );
  const label = t('Open {path} to the side', { path: place });
  return html`<button type="button" class="chip" title=${label} aria-label=${label} @click=${open}>${content}</button>`;
}

// Held files that have changed: which, when and during which call, and what to do about it. Agents named the paths.

type Changed = HeldChangesView['files'][number];

interface ChangesPage extends Folds {
  readonly dispatch: (message: HeldFileMessage) => void;
  /** All that are shown, without a path. */
  readonly acceptChanges: (path?: string) => void;
}

/** That there are some, above the form; what to do about them is below it, so that no key that answers meets it. */
export function changesLine({
  changes,
}: {
  readonly changes?: HeldChangesView | undefined;
}): TemplateResult | typeof nothing {
  if (!changes) return nothing;
  const [first] = changes.files;
  const words =
    first === undefined
      ? t('Held files changed')
      : changes.files.length === 1
        ? th('{path} changed while it was held: see below.', { path: codeOf(first.path) })
        : th('{n} held files changed, {path} among them: see below.', {
            path: codeOf(first.path),
            n: changes.files.length,
          });
  return line(icon('warning', 'warning'), words, { kind: 'changes-line' });
}

/** @param more below the list, such as why an act was refused */
export function heldChanges(
  page: ChangesPage,
  { key, changes }: { readonly key: string; readonly changes?: HeldChangesView | undefined },
  more: unknown = nothing,
): TemplateResult | typeof nothing {
  if (!changes) return nothing;
  const { files, lost, here } = changes;
  const { items, more: others } = limitItems(page, 'changes', files);
  const isMany = files.length > 1 || lost;
  return html`<section
    class="held-changes notice notice-warning"
    data-part="changes"
    aria-label=${t('Held files changed')}
  >
    ${icon('warning')}
    <div class="notice-body">
      <p><strong>${t('Held files changed')}</strong></p>
      ${lost ? html`<p>${t('Holdpoint can’t tell which held files changed: the baseline is missing or was changed, or too many files differ.')}</p>` : nothing}
      <ul class="changed-files">
        ${items.map((file) => html`<li>${changedFile(page, { key, changes, file })}</li>`)}
        ${others === nothing ? nothing : html`<li>${others}</li>`}
      </ul>
      ${here && isMany ? html`<p>${link(t('Accept all changes'), () => page.acceptChanges(), { act: 'accept-changes' })}</p>` : nothing}
      <p class="quiet small">
        ${t('Commits that contain these changes are denied until you restore or accept them.')}
        ${here ? t('A copy of what you restore or delete is kept in .holdpoint/replaced.') : t('Restore or accept them in the editor.')}
      </p>
      ${more}
    </div>
  </section>`;
}

interface Row {
  readonly key: string;
  readonly changes: HeldChangesView;
  readonly file: Changed;
}

function changedFile(page: ChangesPage, { key, changes, file }: Row): TemplateResult {
  const { path, how, at, call, same, elsewhere = false } = file;
  const { here, compare } = changes;
  const named = { path: visibleText(path) };
  const time = agoTag(at);
  const when =
    call === undefined
      ? th('Changed outside of any call that Holdpoint saw, {time}', { time })
      : th('Changed during {call}, {time}', { time, call: codeOf(call) });
  const marks = [
    how === 'changed' ? '' : how === 'added' ? t('new') : t('deleted'),
    same ? t('restored') : '',
    elsewhere ? t('on another machine') : '',
  ].filter(Boolean);
  return html`${codeOf(path)}${marks.length === 0 ? nothing : html` <span class="quiet">(${marks.join(', ')})</span>`}
    <p class="quiet small">${when}</p>
    ${
      here
        ? html`<p class="flow">
            ${compare && !elsewhere ? link(t('Compare'), () => page.dispatch({ type: 'compareHeld', key, path }), { act: 'compare-held', label: t('Compare {path}', named) }) : nothing}
            ${same || elsewhere ? nothing : link(how === 'added' ? t('Delete') : t('Restore'), () => page.dispatch({ type: 'restoreHeld', key, path }), { act: 'restore-held', label: how === 'added' ? t('Delete {path}', named) : t('Restore {path}', named) })}
            ${link(t('Accept the change'), () => page.acceptChanges(path), { act: 'accept-change', label: t('Accept the change of {path}', named) })}
          </p>`
        : nothing
    }`;
}

// The file scope of a hold: its text in the form, and the confirmation for changing it.

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
  const who = by.you ? t('you') : bdi(by.name);
  return html`<span
    >${th('All files of this workspace, by {who} since {time}', { who, time: timeTag(at, clockTime(at)) })}</span
  >`;
}

/** The effect. @param files the named files */
export function holdEffect(panel: HoldPanel, files: readonly string[]): TemplateResult {
  if (panel === 'holdAll')
    return html`<p>
      ${t('Holds every file: edits, writing commands and commits by all agents are denied, in all worktrees of this workspace. Reading still works. The hold ends when this is decided.')}
    </p>`;
  return html`<p>
      ${files.length === 0 ? t('All files are released, because none was named. Held work stays held until this is decided.') : t('All other files are released. These stay held until this is decided:')}
    </p>
    ${files.length === 0 ? nothing : html`<p class="globs">${files.map(codeOf)}</p>`}`;
}
