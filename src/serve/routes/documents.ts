/** The documents: scripts and styles by name, and nothing of the workspace. */
import fs from 'node:fs';
import path from 'node:path';
import { Hono } from 'hono';
import type { PageFacts } from '../../ui/kit/view.ts';
import { pageTexts, program } from '../../ui/kit/program.ts';
import { wantedAt } from '../pages/livePage.ts';
import { mayRead, readCookie, type Env, type Served } from './session.ts';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const paths = ['/', '/open/:id', '/briefing', '/dashboard', '/policy', '/keys', '/together/:id', '/work/:id'];
const nothing = { surface: null, key: null, store: '' } as const;

export function documentRoutes(served: Served): Hono<Env> {
  const { workspace, sessions, assets } = served;
  const chunks = JSON.parse(fs.readFileSync(path.join(assets, 'chunks.json'), 'utf8')) as Record<string, string[]>;
  const routes = new Hono<Env>();
  for (const route of paths)
    routes.get(route, (context) => {
      const session = sessions.find(readCookie(context, served));
      const nonce = context.get('secureHeadersNonce') ?? '';
      context.header('cache-control', 'no-store');
      if (!session || !mayRead(served, session)) {
        const facts: PageFacts = { kind: 'login', ...nothing, passkey: false, path: context.req.path };
        return context.html(documentOf({ facts, nonce, chunks }));
      }
      const wanted = wantedAt(workspace, context.req.path);
      if (!wanted) return context.redirect('/', 302);
      const store = workspace.standing().state?.workspace?.id ?? '';
      const facts: PageFacts = {
        kind: 'page',
        ...wanted,
        store,
        passkey: session.keyid !== null,
        path: context.req.path,
      };
      return context.html(documentOf({ facts, nonce, chunks }));
    });
  routes.get('/passkey', (context) => {
    const session = sessions.find(readCookie(context, served));
    const kind = session ? 'passkey' : 'login';
    context.header('cache-control', 'no-store');
    const facts: PageFacts = { kind, ...nothing, passkey: false, path: '/passkey' };
    return context.html(documentOf({ facts, nonce: context.get('secureHeadersNonce') ?? '', chunks }));
  });
  // An iPhone shows notifications only of pages that it installed as an app.
  routes.get('/manifest.webmanifest', (context) =>
    context.json({ name: 'Holdpoint', start_url: '/', scope: '/', display: 'standalone' }, 200, {
      'content-type': 'application/manifest+json',
      'cache-control': 'no-cache',
    }),
  );
  return routes;
}

interface DocumentOptions {
  readonly facts: PageFacts;
  readonly nonce: string;
  readonly chunks: Readonly<Record<string, readonly string[]>>;
}

function documentOf({ facts, nonce, chunks }: DocumentOptions): string {
  const bundles = ['serve', ...(facts.surface === null ? [] : [facts.surface])];
  const preloads = [...new Set(bundles.flatMap((name) => chunks[name] ?? []))];
  const lines = [
    ...preloads.map((name) => `<link rel="modulepreload" nonce="${nonce}" href="/assets/${name}">`),
    ...['base', ...bundles].map((name) => `<link rel="stylesheet" href="/assets/${name}.css">`),
    ...bundles.map((name) => `<script type="module" nonce="${nonce}" src="/assets/${name}.js"></script>`),
  ];
  return `<!doctype html>
<html lang="${program().language}">
<head>
<meta charset="utf-8">
<meta property="csp-nonce" content="${nonce}">
<meta name="holdpoint" content="${escapeHtml(JSON.stringify(facts))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="manifest" href="/manifest.webmanifest">
<title>Holdpoint</title>
${pageTexts()}
${lines.join('\n')}
</head>
<body></body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

// The scripts, styles and fonts of the pages: the same for everybody, and only these.

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
};

interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: Uint8Array<ArrayBuffer>;
}

export function fileRoutes({ assets }: Pick<Served, 'assets'>): Hono<Env> {
  const names = new Set(fs.readdirSync(assets).map((name) => name.replace(/\.br$/, '')));
  const read = new Map<string, Asset>();
  const routes = new Hono<Env>();
  // A service worker is for the folder of its address.
  for (const route of ['/assets/:name', '/:name{push-worker\\.js}'])
    routes.get(route, (context) => {
      const name = context.req.param('name') ?? '';
      const type = types[path.extname(name)];
      if (!names.has(name) || type === undefined) return context.notFound();
      let asset = read.get(name);
      if (!asset) read.set(name, (asset = load(path.join(assets, name), type)));
      const headers = {
        'content-type': asset.type,
        etag: asset.etag,
        vary: 'accept-encoding',
        // The name of a chunk has the hash of its content.
        'cache-control': name.startsWith('chunk-') ? 'public, max-age=31536000, immutable' : 'no-cache',
      };
      if (context.req.header('if-none-match') === asset.etag) return context.body(null, 304, headers);
      if (!(context.req.header('accept-encoding') ?? '').includes('gzip'))
        return context.body(asset.bytes, 200, headers);
      return context.body(asset.packed, 200, { ...headers, 'content-encoding': 'gzip' });
    });
  return routes;
}

function load(file: string, type: string): Asset {
  const bytes = new Uint8Array(
    fs.existsSync(file) ? fs.readFileSync(file) : brotliDecompressSync(fs.readFileSync(`${file}.br`)),
  );
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type, bytes, etag: `"${hash}"`, packed: new Uint8Array(gzipSync(bytes)) };
}
