/** Where the address of a shared journal's server comes from, and what it may say. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { databaseUrl, serviceFiles, settingsFrom } from '../../../src/store/shared/connection.ts';
import type { Source, Surroundings } from '../../../src/store/shared/connection.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import type { TemporaryFolder } from '../../support/temporary.ts';

describe('the address of a shared journal', () => {
  describe('as a URL', () => {
    const local = { host: 'localhost', port: 5432, database: 'db', user: 'ada', password: undefined, tls: 'disable' };
    const none = { rootCertificate: undefined, certificate: undefined, key: undefined };
    for (const [url, expected] of Object.entries({
      'postgresql://ada@localhost/db': local,
      'postgres://ada@localhost': { ...local, database: 'ada' },
      'postgresql://ada:p%40ss:w@localhost:6000/db': { ...local, port: 6000, password: 'p@ss:w' },
      'postgresql://ada@[::1]/db': { ...local, host: '::1' },
      'postgresql://ada@/db?host=%2Frun%2Fpg': { ...local, host: '/run/pg' },
      'postgresql://a%2Fda@localhost/d%20b': { ...local, user: 'a/da', database: 'd b' },
      'postgresql://ada@db.example/db': { ...local, host: 'db.example', tls: 'verify-full' },
      'postgresql://ada@db.example/db?sslmode=require': { ...local, host: 'db.example', tls: 'require' },
      'postgresql://ada@localhost/db?sslmode=verify-full&sslrootcert=/etc/ca.pem': {
        ...local,
        tls: 'verify-full',
        rootCertificate: '/etc/ca.pem',
      },
      'postgresql://ada@db.example/db?sslrootcert=system': { ...local, host: 'db.example', tls: 'verify-full' },
    })) {
      it(url, () => {
        assert.deepEqual(settingsOfUrl(url), { ...none, ...expected });
      });
    }

    for (const [url, why] of Object.entries({
      'mysql://ada:s3cret@localhost/db': /not of the form/,
      s3cret: /not of the form/,
      'postgresql://localhost/s3cret': /names no user/,
      'postgresql://ada:s3cret@/db': /one host/,
      'postgresql://ada:s3cret@a,b/db': /one host/,
      'postgresql://ada:s3cret@localhost:0/db': /port/,
      'postgresql://ada:s3cret%@localhost/db': /hexadecimal/,
      'postgresql://ada:s3cret@s3cret@localhost/db': /more than one @.*%40/,
      'postgresql://ada:1/s3cret@localhost/db': /an @ after the host.*%2F/,
      'postgresql://ada:1?s3cret@localhost/db': /an @ after the host.*%3F/,
      'postgresql://ada:s3cret@db.example/db?sslmode=prefer': /plain text/,
      'postgresql://ada:s3cret@db.example/db?options=-cx': /options, which is not supported/,
      'postgresql://ada:s3cret@db.example/db?sslrootcert=ca.pem': /sslrootcert must be an absolute path/,
    })) {
      it(`refuses ${url}, without a part of it`, () => {
        assert.throws(
          () => settingsOfUrl(url),
          (error: Error) => {
            assert.match(error.message, why);
            assert.doesNotMatch(error.message, /s3cret/);
            return true;
          },
        );
      });
    }
  });

  describe('by its source', () => {
    let place: TemporaryFolder;
    let at: Surroundings;
    const service: Source = { kind: 'service', name: 'team' };
    const write = (file: string, text: string, mode = 0o600) => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text, { mode });
      fs.chmodSync(file, mode);
    };

    beforeEach(async () => {
      place = await temporaryFolder();
      at = {
        fs,
        env: {},
        home: path.join(place.folder, 'home'),
        platform: process.platform,
        userFolder: path.join(place.folder, 'home', '.local', 'state', 'holdpoint'),
      };
    });
    afterEach(() => place.remove());

    const hostOf = (env: Surroundings['env'] = {}, source: Source = service) =>
      settingsFrom(source, { ...at, env }).host;
    const section = (host: string) =>
      `# ours\n[other]\nhost=wrong\n\n[team]\nhost=${host}\nuser=ada\n[more]\nhost=wrong\n`;

    it('is the environment’s URL', () => {
      const source: Source = { kind: 'env', name: databaseUrl };
      assert.equal(hostOf({ HOLDPOINT_DATABASE_URL: 'postgresql://ada@db.example/x' }, source), 'db.example');
      assert.throws(() => hostOf({}, source), /HOLDPOINT_DATABASE_URL is not set/);
      assert.throws(() => hostOf({ HOLDPOINT_DATABASE_URL: ' ' }, source), /HOLDPOINT_DATABASE_URL is not set/);
    });

    it('is a service: in our own file, else in the stated or the usual one, else in the system’s', () => {
      const stated = path.join(place.folder, 'stated.conf');
      const env = { PGSERVICEFILE: stated, PGSYSCONFDIR: path.join(place.folder, 'etc') };
      assert.throws(() => hostOf(env), /no service file has the service team/);
      write(path.join(place.folder, 'etc', 'pg_service.conf'), section('system'));
      assert.equal(hostOf(env), 'system');
      write(path.join(at.home, '.pg_service.conf'), section('usual'));
      write(stated, section('stated'));
      assert.equal(hostOf(env), 'stated');
      assert.equal(hostOf({}), 'usual');
      write(path.join(at.userFolder, 'pg_service.conf'), section('ours'));
      assert.equal(hostOf(env), 'ours');
    });

    it('is never a file of the workspace', () => {
      const before = process.cwd();
      process.chdir(place.folder);
      try {
        write(path.join(place.folder, 'pg_service.conf'), section('agent'));
        assert.throws(() => hostOf({ PGSERVICEFILE: 'pg_service.conf', PGSYSCONFDIR: '.' }), /no service file/);
      } finally {
        process.chdir(before);
      }
    });

    it('is not our own file when others can read it', function () {
      if (process.platform === 'win32') this.skip();
      write(path.join(at.userFolder, 'pg_service.conf'), section('ours'), 0o644);
      assert.throws(() => hostOf(), /chmod 600/);
    });

    it('is on Windows where libpq looks there', () => {
      const env = { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' };
      assert.deepEqual(serviceFiles({ ...at, env, platform: 'win32', userFolder: 'C:\\h' }), [
        'C:\\h\\pg_service.conf',
        'C:\\Users\\ada\\AppData\\Roaming\\postgresql\\.pg_service.conf',
      ]);
    });

    for (const [title, text] of Object.entries({
      'a line of another form': '[team]\nhost localhost\nuser=ada',
      'a setting that we do not know': '[team]\nhost=localhost\nuser=ada\nrequiressl=1',
      'no host': '[team]\nuser=ada',
    })) {
      it(`refuses a service with ${title}`, () => {
        write(path.join(at.userFolder, 'pg_service.conf'), text);
        assert.throws(() => hostOf(), { code: 'wrong' });
      });
    }
  });
});
