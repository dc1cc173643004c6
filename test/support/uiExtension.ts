/**
 * An extension on the person's side of a window in the browser: VS Code runs it in the web worker of the page. The host
 * of a workbench in the browser names such extensions in the page's configuration, and serves their files.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const place = '/ui-extension/';

/** The page of the workbench with one more extension; other pages are returned as they are. */
export function withExtension(page: string, host: string): string {
  return page.replace(
    /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/,
    (_, start: string, settings: string) => {
      const configuration = JSON.parse(unescaped(settings)) as object;
      const extension = { scheme: 'http', authority: host, path: place.slice(0, -1) };
      return `${start}${escaped(JSON.stringify({ ...configuration, additionalBuiltinExtensions: [extension] }))}"`;
    },
  );
}

/** One of its files; null for a path elsewhere, or of a file that does not exist. */
export async function extensionFile(folder: string, pathname: string): Promise<ExtensionFile | null> {
  if (!pathname.startsWith(place)) return null;
  const file = path.join(folder, path.posix.normalize(`/${decodeURIComponent(pathname.slice(place.length))}`));
  const body = await readFile(file).catch(() => null);
  return body && { body, type: types[path.extname(file)] ?? 'application/octet-stream' };
}

interface ExtensionFile {
  readonly body: Buffer;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
