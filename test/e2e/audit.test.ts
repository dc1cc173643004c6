/** The audit trail: a human sees who decided what, and that it verifies; the export is checked elsewhere. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { answerAsHuman, questionShown, showAnswerView } from '../support/answerForm.ts';
import type { AuditSnapshot } from '../../src/ui/dashboard/audit.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { writeByHand } from '../support/store/handwriting.ts';
import { until } from '../support/until.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

/** In the page: it reads no further snapshots, as if the host were drawing the next one. Keeps what the host sends. */
function keepSnapshots(): void {
  const kept: unknown[] = [];
  const ofEvent = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get;
  const get = function (this: MessageEvent): unknown {
    const data = ofEvent?.call(this) as { readonly type?: string } | null;
    if (data?.type !== 'snapshot') return data;
    kept.push(data);
    return null;
  };
  Object.defineProperty(MessageEvent.prototype, 'data', { get });
  Object.assign(globalThis, { kept });
}

describe('The audit trail', () => {
  let { workspace, editor, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ workspace, editor, agent } = opened);
    await agent.register('t-1', 'API tokens');
    await agent.ask('JWT or sessions?', { work: 't-1' });
    await showAnswerView(editor.window);
    await answerAsHuman(await questionShown(editor.window), { text: 'Sessions' });
  });

  const where = () => ({ workspace: workspace.folder, env: editor.env });
  const trail = () => editor.window.webview('main[data-view="audit"][data-checked="100"]');

  it('shows the decision as verified, and all that concerns one item', async () => {
    await editor.window.command('Holdpoint: Open Decisions');
    const page = await trail();
    await page.getByText('Everything verifies.').waitFor();
    const act = page.locator('.act[data-mark="verified"]', { hasText: 'Q-1' });
    assert.match((await act.innerText()).replace(/\s+/g, ' '), / answered Q-1.*: Sessions/);
    await act.locator('[data-act="only"]', { hasText: 'API tokens' }).click();
    await page.locator('.act[data-mark="unsigned"]', { hasText: 'asked' }).waitFor();
    await editor.window.screenshot('audit');
    const ofOne = await page.locator('.act').count();
    await page.locator('[data-act="all-items"]').click();
    await until('all acts are listed', async () => (await page.locator('.act').count()) > ofOne);
  });

  it('exports one file, sealed, that is checked without the store', async () => {
    const page = await trail();
    const target = path.join(path.dirname(workspace.folder), 'exported.holdpoint-audit');
    await rm(target, { force: true });
    await page.locator('[data-act="export"]').click();
    await answerFileDialog(editor.window.page, target);
    const notice = page.locator('.notice', { hasText: 'signed with your key' });
    await notice.waitFor();
    assert.match(await notice.innerText(), new RegExp(path.basename(target)));
    await access(target);
    const keys = await holdpoint(where(), 'keys');
    const keyFile = `${target}.keys`;
    await writeFile(keyFile, keys.out);
    const elsewhere = { workspace: os.tmpdir(), env: { ...editor.env, HOME: os.tmpdir(), XDG_STATE_HOME: '' } };
    const checked = await holdpoint(elsewhere, 'audit', '--verify', target, '--key', keyFile);
    assert.equal(checked.code, 0, checked.err);
    assert.match(checked.out, /Sealed by /);
    const bundle = await readFile(target);
    await writeFile(target, bundle.subarray(0, bundle.lastIndexOf('\n', -2)));
    assert.equal((await holdpoint(elsewhere, 'audit', '--verify', target, '--key', keyFile)).code, 2);
    await Promise.all([rm(target), rm(keyFile)]);
  });

  it('shows a forged decision as soon as it is written', async () => {
    const page = await trail();
    writeByHand(agent.workspace.location.root + '/.holdpoint/journal/00000001.jsonl', [
      { kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' },
    ]);
    await page.locator('.act[data-mark="forged"]', { hasText: 'Q-1' }).first().waitFor();
    await page.getByText('1 record failed verification.').waitFor();
    assert.deepEqual(editor.window.webviewErrors, []);
  });

  it('exports from a rendering that was replaced meanwhile; what has changed is said', async () => {
    const page = await trail();
    await page.evaluate(keepSnapshots);
    const kept = (what: { readonly acts?: number; readonly notice?: string }) =>
      page.waitForFunction(({ acts = 0, notice = '' }) => {
        const snapshots = (globalThis as unknown as { readonly kept: readonly AuditSnapshot[] }).kept;
        return snapshots.some(
          (one) => one.view.type === 'audit' && one.view.acts >= acts && (one.notice?.text ?? '').includes(notice),
        );
      }, what);
    await page.locator('[data-act="scope"]').selectOption('all');
    await kept({});
    const target = path.join(path.dirname(workspace.folder), 'replaced.holdpoint-audit');
    await rm(target, { force: true });
    await page.locator('[data-act="export"]').click();
    await answerFileDialog(editor.window.page, target);
    await until('the file is there', () => existsSync(target));
    await rm(target);
    const { acts } = JSON.parse((await holdpoint(where(), 'audit', '--json')).out) as { readonly acts: number };
    await agent.register('t-2', 'Rate limits');
    await kept({ acts: acts + 1 });
    await page.locator('[data-act="export"]').click();
    await kept({ notice: 'Something has changed since this was shown' });
  });
});
