/** Encryption to the server of a shared journal: as the address says, and never less. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../../src/store/journal/problem.ts';
import { openServer } from '../../../src/store/shared/server.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { hasOpenssl, makeCertificates } from '../../support/certificates.ts';
import { owner, startPostgres, type Postgres } from '../../support/postgres.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary.ts';

describe('TLS to the server of a shared journal', function () {
  this.timeout(120_000);
  let place: TemporaryFolder;
  let postgres: Postgres;
  /** Empty where this is skipped. */
  const ends: (() => Promise<void>)[] = [];
  const file = (name: string) => path.join(place.folder, name);

  before(async function () {
    if (!hasOpenssl()) this.skip();
    place = await temporaryFolder();
    ends.push(() => place.remove());
    makeCertificates(place.folder, 'localhost');
    postgres = await startPostgres({
      settings: { listen_addresses: '127.0.0.1', ssl: 'on' },
      hba: ['local all all trust', 'hostssl all all 127.0.0.1/32 trust'],
      files: { 'server.crt': fs.readFileSync(file('server.pem')), 'server.key': fs.readFileSync(file('server.key')) },
    });
    ends.push(() => postgres.stop());
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** What becomes of a connection; it reaches our schema's check only after the server was accepted. */
  async function outcome(host: string, query: string): Promise<string> {
    const url = `postgresql://${owner}@${host}:${String(postgres.port)}/postgres?${query.replaceAll('DIR', place.folder)}`;
    const server = openServer({ settings: settingsOfUrl(url) });
    try {
      await server.workspaces();
      return 'connected';
    } catch (error) {
      const message = messageOf(error);
      return message.includes('schema_version') ? 'connected' : message;
    } finally {
      await server.close();
    }
  }

  for (const [host, query, expected] of [
    ['localhost', 'sslmode=verify-full&sslrootcert=DIR/ca.pem', /^connected$/],
    ['localhost', 'sslmode=verify-full&sslrootcert=DIR/other.pem', /cannot be reached.*(certificate|signature)/],
    ['localhost', 'sslmode=verify-full', /cannot be reached.*(certificate|signature)/],
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=DIR/ca.pem', /cannot be reached.*altnames/],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=DIR/ca.pem', /^connected$/],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=DIR/other.pem', /cannot be reached.*(certificate|signature)/],
    ['127.0.0.1', 'sslmode=require', /^connected$/],
    ['127.0.0.1', 'sslmode=disable', /no encryption|SSL off/],
  ] as const) {
    it(`${host} with ${query.replaceAll('DIR/', '')}`, async () => {
      assert.match(await outcome(host, query), expected);
    });
  }
});
