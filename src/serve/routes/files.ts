/** The scripts, styles and fonts of the pages: the same for everybody, and only these. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import type { Env, Served } from './context.ts';

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
  const names = new Set(fs.readdirSync(assets));
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
  const bytes = new Uint8Array(fs.readFileSync(file));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type, bytes, etag: `"${hash}"`, packed: new Uint8Array(gzipSync(bytes)) };
}
