/**
 * No script of a page decides or sends anything, whatever a person has begun there: clicks, keys, forms and changes that
 * it makes. Unless HOLDPOINT_RUNS=all, a day has an eighth of the scenes.
 */
import assert from 'node:assert/strict';
import { ofTheDay } from '../../support/runs.ts';
import { briefingSurface, questionSurface, rfcSurface, setupSurface, startSurface, type Surface } from '../harness.ts';
import { scenes as setup } from '../hosts/scenes.ts';
import { scenes as briefing } from '../memory/scenes.ts';
import { scenes as question } from '../question/scenes.ts';
import { scenes as rfc } from '../rfc/scenes.ts';

function checkScripts<Message extends { type: string }, Sent extends { view: { type: string } }>(
  surface: Surface<Message, Sent>,
  scenes: Readonly<Record<string, (form: Awaited<ReturnType<typeof open<Message, Sent>>>) => Promise<void>>>,
  width = 340,
): void {
  describe(`a script on the page: ${surface.name}`, () => {
    let harness: Awaited<ReturnType<typeof startSurface<Message, Sent>>>;
    before(async () => {
      harness = await startSurface(surface);
    });
    after(() => harness.close());

    for (const [name, play] of ofTheDay(Object.entries(scenes)))
      it(`sends nothing: ${name}`, async () => {
        const form = await open(harness, width);
        await play(form);
        await form.page.waitForFunction(() => {
          const main = document.querySelector('main');
          return main?.dataset['ready'] === 'true' || main?.querySelector('[aria-busy=true]') !== null;
        });
        // Which folder is shown decides nothing.
        const posted = async () => (await form.posted()).filter(({ type }) => type !== 'folder');
        const before = await posted();
        await form.page.evaluate(actOnEverything);
        assert.deepEqual(await posted(), before);
        assert.deepEqual(form.complaints, []);
        await form.close();
      });
  });
}

function open<Message extends { type: string }, Sent extends { view: { type: string } }>(
  harness: Awaited<ReturnType<typeof startSurface<Message, Sent>>>,
  width: number,
) {
  // High enough for all of a form: one that does not fit leads to its tab.
  return harness.open({ width, height: 2_000 });
}

/** Runs in the page. */
function actOnEverything(): void {
  const all = [
    ...document.querySelectorAll<HTMLElement>(
      '[data-act], vscode-button, button, label, input, form, textarea, select, summary',
    ),
  ];
  const inner = all.flatMap((one) => [...(one.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? [])]);
  const made = { bubbles: true, composed: true, cancelable: true };
  for (const one of [...all, ...inner]) {
    one.click();
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'pointerup', 'click', 'dblclick'])
      one.dispatchEvent(new MouseEvent(type, { ...made, detail: 1 }));
    for (const key of ['Enter', ' ', '1', 'Escape'])
      for (const ctrlKey of [true, false])
        for (const type of ['keydown', 'keyup']) one.dispatchEvent(new KeyboardEvent(type, { ...made, key, ctrlKey }));
    one.dispatchEvent(new Event('change', { bubbles: true }));
    if (one instanceof HTMLFormElement) {
      one.requestSubmit();
      one.dispatchEvent(new SubmitEvent('submit', { bubbles: true }));
    }
  }
}

checkScripts(questionSurface, question);
checkScripts(rfcSurface, rfc, 1_280);
checkScripts(briefingSurface, briefing);
checkScripts(setupSurface, setup, 1_280);
