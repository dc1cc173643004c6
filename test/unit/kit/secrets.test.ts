import assert from 'node:assert/strict';
import { findSecrets } from '../../../src/app/team/decisions.ts';

/** In parts, so that scanners of this repository do not report them. */
const glued = (...parts: string[]) => parts.join('');
const letters = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';

const found: readonly (readonly [title: string, text: string, kind: string, beginning: string])[] = [
  [
    'a private key',
    glued('-----BEGIN RSA PRIVATE', ' KEY-----\nMIIE'),
    'privateKey',
    '-----BEGIN RSA PRIVATE KEY-----',
  ],
  ['an unnamed private key', glued('-----BEGIN PRIVATE', ' KEY-----'), 'privateKey', '-----BEGIN PRIVATE KEY-----'],
  ['an AWS key', glued('AKIA', 'IOSFODNN7EXAMPLE'), 'token', 'AKIA'],
  ['a GitHub token', glued('ghp', '_', letters.slice(0, 36)), 'token', 'ghp_'],
  ['a fine-grained GitHub token', glued('github', '_pat_', letters), 'token', 'gith'],
  ['a GitLab token', glued('glpat', '-', letters.slice(0, 20)), 'token', 'glpa'],
  ['a Slack token', glued('xoxb', '-123456789012-', letters), 'token', 'xoxb'],
  [
    'a Slack webhook',
    glued('https://hooks.slack.com', '/services/T12345678/B12345678/', letters.slice(0, 24)),
    'token',
    'hook',
  ],
  ['a Google key', glued('AIza', letters.slice(0, 35)), 'token', 'AIza'],
  ['a key of a model provider', glued('sk', '-ant-', letters), 'token', 'sk-a'],
  ['a Stripe key', glued('sk', '_live_', letters.slice(0, 24)), 'token', 'sk_l'],
  ['an npm token', glued('npm', '_', letters.slice(0, 36)), 'token', 'npm_'],
  ['a JSON web token', glued('eyJ', letters, '.eyJ', letters, '.', letters), 'token', 'eyJa'],
  ['a bearer token', glued('Authorization: Bearer ', letters), 'token', 'Bearer '],
  [
    'a password in a URL',
    glued('postgresql://ada:', 'hunter22@db.example/holdpoint'),
    'urlPassword',
    'postgresql://ada:',
  ],
  ['a password in a URL without a user', glued('redis://:', 'hunter22@cache/0'), 'urlPassword', 'redis://:'],
  ['a password that is set', glued('DB_', 'PASSWORD=correct-horse'), 'password', 'PASSWORD='],
  ['one in JSON', glued('{"api_', 'key": "', letters.slice(0, 20), '"}'), 'password', 'api_key":'],
];

const harmless = [
  'Which password policy do we want? Password: required or optional?',
  'https://example.com:8443/path@2',
  'See https://user@example.com/repo.git',
  'Set password=${DB_PASSWORD} from the environment.',
  '-----BEGIN PUBLIC KEY-----',
  'sk-learn is a library, and ghp_short is not a token',
  'MCowBQYDK2VwAyEA5f7m3cQ0 Ada Lovelace',
];

describe('texts that look like secrets', () => {
  for (const [title, text, kind, beginning] of found)
    it(`finds ${title}, and shows only how it begins`, () => {
      const [first] = findSecrets(`We use ${text} here.`);
      assert.deepEqual(first && { kind: first.kind, beginning: first.beginning }, {
        kind,
        beginning,
      });
    });

  for (const text of harmless)
    it(`has nothing to say about: ${text.slice(0, 40)}`, () => {
      assert.deepEqual(findSecrets(text), []);
    });

  it('finds several in one text, and at most 20', () => {
    const one = glued('AKIA', 'IOSFODNN7EXAMPLE');
    assert.equal(findSecrets(`${one} ${one}`).length, 2);
    assert.equal(findSecrets(`${one} `.repeat(100)).length, 20);
  });

  it('takes a long hostile text', () => {
    for (const part of ['a://', 'eyJ', 'password=', '-----BEGIN ', 'sk-', 'Bearer '])
      findSecrets(part.repeat(Math.ceil(200_000 / part.length)));
  });
});
