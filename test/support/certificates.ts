/** Certificates of two authorities that a test makes, and a server's certificate by the first. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version']).status === 0;
}

/** Writes `ca.pem`, `other.pem`, `server.pem` and `server.key` into the folder. @param name of the server */
export function makeCertificates(folder: string, name: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const ca of ['ca', 'other'])
    openssl('req', '-x509', ...key, '-keyout', `${ca}.key`, '-out', `${ca}.pem`, '-subj', `/CN=${ca}`, '-days', '2');
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${name}`);
  fs.writeFileSync(path.join(folder, 'names'), `subjectAltName=DNS:${name}`);
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.pem', ...signing);
}
