/** PgBouncer in front of a test server, on machines that have it. */
import fs from 'node:fs';
import path from 'node:path';
import type { Postgres } from './postgres.ts';
import { start } from './processes.ts';

/** The program; null where it is not installed. */
export function pgbouncer(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin'];
  const files = folders.map((folder) => path.join(folder, 'pgbouncer'));
  return files.find((file) => path.isAbsolute(file) && fs.existsSync(file)) ?? null;
}

export interface Pooler extends Pick<Postgres, 'url'> {
  stop(): Promise<void>;
}

/** As Debian installs it, but for the mode. Its socket is in the server's folder. */
export async function startPgbouncer(
  program: string,
  { host, port, url }: Postgres,
  { mode, logins }: { readonly mode: 'session' | 'transaction'; readonly logins: readonly string[] },
): Promise<Pooler> {
  const folder = fs.mkdtempSync(path.join(host, 'pgbouncer-'));
  const own = port + (mode === 'session' ? 1 : 2);
  const settings = {
    ...{ pool_mode: mode, listen_addr: '', listen_port: own, unix_socket_dir: host },
    ...{ auth_type: 'trust', auth_file: path.join(folder, 'users.txt') },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${String(value)}`);
  const file = path.join(folder, 'pgbouncer.ini');
  const databases = `[databases]\n* = host=${host} port=${String(port)}`;
  fs.writeFileSync(settings.auth_file, logins.map((login) => `"${login}" ""\n`).join(''));
  fs.writeFileSync(file, `${databases}\n[pgbouncer]\n${lines.join('\n')}\n`);
  fs.chmodSync(folder, 0o755);
  // It refuses to run as root.
  const { uid, gid } = fs.statSync(host);
  const running = start(program, [file], { user: { uid, gid } });
  await running.line(/process up/);
  return {
    url: (login, database) => url(login, database).replace(`port=${String(port)}`, `port=${String(own)}`),
    stop: () => running.stop(),
  };
}
