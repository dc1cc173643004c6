/** What the address of a shared journal's server may say. */
import assert from 'node:assert/strict';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';

describe('the address of a shared journal', () => {
  describe('as a URL', () => {
    const local = { host: 'localhost', port: 5432, database: 'db', user: 'ada', password: undefined, tls: 'disable' };
    const none = { rootCertificate: undefined };
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
      'postgresql://ada:s3cret@s3cret@localhost/db': /an @ too many.*%40/,
      'postgresql://ada:1/s3cret@localhost/db': /an @ too many.*%2F/,
      'postgresql://ada:1?s3cret@localhost/db': /an @ too many.*%3F/,
      'postgresql://ada:s3cret@db.example/db?sslmode=prefer': /plain text/,
      'postgresql://ada:s3cret@db.example/db?options=-cx': /options, which is not supported/,
      'postgresql://ada:s3cret@db.example/db?sslcert=/me.pem': /sslcert, which is not supported/,
      'postgresql://ada:s3cret@db.example/db?sslrootcert=ca.pem': /sslrootcert.* absolute path/,
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
});
