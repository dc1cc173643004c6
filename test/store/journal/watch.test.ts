import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { watchFolder } from '../../../src/store/journal/watch.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

describe('watching a folder', () => {
  afterEach(removeSandboxes);

  it('begins once the folder exists, and finds what was written before', async () => {
    const folder = makeSandbox().at('later');
    const seen: string[] = [];
    let wake: () => void = () => undefined;
    const stop = watchFolder(
      folder,
      () => {
        seen.push(...fs.readdirSync(folder));
        wake();
      },
      Number.MAX_SAFE_INTEGER,
    );
    // The watch itself does not keep the program alive.
    const alive = setInterval(() => undefined, 1_000);
    const next = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    try {
      const first = next();
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'one'), '');
      await first;
      assert.ok(seen.includes('one'));
      const second = next();
      fs.writeFileSync(path.join(folder, 'two'), '');
      await second;
      assert.ok(seen.includes('two'));
    } finally {
      clearInterval(alive);
      stop();
    }
  });
});
