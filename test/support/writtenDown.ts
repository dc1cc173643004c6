/** VS Code saves a window's state some seconds later, and a reload of the page does not wait for that. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Editor } from './editor.ts';
import { until } from './until.ts';
import type { EditorWindow } from './window.ts';

/** Waits until VS Code's own stores contain a match: the browser's databases, or its files. */
export async function writtenDown(editor: Editor, window: EditorWindow, pattern: RegExp): Promise<void> {
  await until(`${String(pattern)} in a store of VS Code`, async () => {
    const texts = [...(await inBrowser(window.page)), ...(await inFiles(editor.userData))];
    return texts.some((text) => pattern.test(text));
  });
}

async function inBrowser(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => {
          resolve(request.result);
        };
        request.onerror = () => {
          reject(request.error ?? new Error('no database'));
        };
      });
    const found: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      if (!name?.startsWith('vscode-web-state-db-')) continue;
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        for (const value of await done(database.transaction(store).objectStore(store).getAll()))
          if (typeof value === 'string') found.push(value);
      database.close();
    }
    return found;
  });
}

async function inFiles(userData: string): Promise<string[]> {
  const names = await readdir(userData, { recursive: true });
  const stores = names.filter((name) => path.basename(name).startsWith('state.vscdb'));
  return Promise.all(stores.map((name) => readFile(path.join(userData, name), 'utf8').catch(() => '')));
}
