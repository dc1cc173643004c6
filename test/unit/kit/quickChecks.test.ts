/** Files that programs read without a schema. */
import assert from 'node:assert/strict';
import { isThisMachine } from '../../../src/core/kit/quickChecks.ts';
import { parseAnchor } from '../../../src/store/journal/stateFile.ts';
import { parseKeyring } from '../../../src/trust/keyring.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const hash = 'a'.repeat(64);
const id = '6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b';
const at = '2026-11-23T21:00:00.000Z';
const snapshot = {
  ...{ name: 'holdpoint-9-aaaaaaaaaaaaaaaa', stateHash: hash, databaseHash: hash, position: 9, head: hash, headAt: 3 },
  keys: hash,
  vouched: { keyid: hash, sig: 'QUJD' },
};

const current = { stateHash: hash, position: 9, head: hash, headAt: 3, keys: hash };

const anchor = {
  ...{ v: 1, root: '/a', workspace: id, epoch: id, position: 9, head: hash, snapshot, vouched: snapshot, current },
  ...{ worktrees: [{ path: '/b', inode: 5 }], replaces: ['/c'] },
};
const pin = { keyid: hash, publicKey: 'QUJD', name: 'Zoë Doe', enrolledAt: at };
const passkey = { origin: 'https://a.example', rpId: 'a.example', credentialId: 'ab_-', label: 'Zoë’s phone' };
const retired = { at, why: 'lost', upTo: { [id]: 7 } };

const ownFiles: Readonly<Record<string, { readonly parse: (text: string) => unknown; readonly all: readonly Json[] }>> =
  {
    'state file': { parse: parseAnchor, all: [anchor, { ...anchor, epoch: null, snapshot: null, vouched: null }] },
    'key ring': {
      parse: (text) => ({ v: 2, keys: parseKeyring(text) }),
      all: [
        { v: 2, keys: [] },
        { v: 2, keys: [pin, { ...pin, passkey }, { ...pin, retired }] },
      ],
    },
  };
const optional = new Set(['keys', 'vouched', 'passkey', 'retired', id]);

describe('a file of our own', () => {
  it('that is a key ring has no longer texts in a passkey than its records allow', () => {
    const ring = (more: object) => JSON.stringify({ v: 2, keys: [{ ...pin, passkey: { ...passkey, ...more } }] });
    const origin = (length: number) => `https://${'a'.repeat(length - 'https://'.length)}`;
    for (const [longest, longer] of [
      [{ origin: origin(300) }, { origin: origin(301) }],
      [{ rpId: 'a'.repeat(253) }, { rpId: 'a'.repeat(254) }],
      [{ credentialId: 'a'.repeat(1_400) }, { credentialId: 'a'.repeat(1_401) }],
      [{ label: 'a'.repeat(100) }, { label: 'a'.repeat(101) }],
    ] as const) {
      parseKeyring(ring(longest));
      assert.throws(() => parseKeyring(ring(longer)));
    }
  });

  for (const [name, { parse, all }] of Object.entries(ownFiles))
    it(`that is a ${name} has all its members, each of its type, and no others`, () => {
      for (const one of all) {
        assert.deepEqual(parse(JSON.stringify(one)), one);
        const refused = (what: string, odd: Json) => {
          assert.throws(() => parse(JSON.stringify(odd)), what);
        };
        for (const member of membersOf(one)) {
          refused(`another ${member.name}`, member.changed({ odd: 1 }));
          if (!member.inList && !optional.has(member.name)) refused(`no ${member.name}`, member.changed(undefined));
          if (member.isObject)
            refused(`more in ${member.name}`, member.changed({ ...(member.value as object), more: 1 }));
        }
      }
    });
});

function membersOf(whole: Json) {
  const found: { name: string; value: Json; inList: boolean; isObject: boolean; changed: (to?: Json) => Json }[] = [];
  const visit = (value: Json, path: readonly string[]) => {
    for (const [name, one] of Object.entries(value as Record<string, Json>)) {
      const isObject = typeof one === 'object' && one !== null && !Array.isArray(one);
      const changed = (to?: Json) => {
        const copy = structuredClone(whole) as Record<string, Json>;
        const holder = path.reduce<Record<string, Json>>((at, step) => at[step] as Record<string, Json>, copy);
        if (to === undefined) Reflect.deleteProperty(holder, name);
        else holder[name] = to;
        return copy;
      };
      found.push({ name, value: one, inList: Array.isArray(value), isObject, changed });
      if (typeof one === 'object' && one !== null) visit(one, [...path, name]);
    }
  };
  visit(whole, []);
  return found;
}

describe('this machine', () => {
  const ours = ['http://localhost', 'http://LOCALHOST:1', 'http://a.b.localhost', 'http://127.0.0.1', 'http://127.1'];
  const others = [
    'https://localhost.example',
    'https://127.0.0.1.example',
    'https://127.example',
    'https://notlocalhost',
  ];
  for (const [urls, is] of [
    [[...ours, 'http://127.255.255.254:80', 'http://[::1]:8080', 'http://[0:0::1]'], true],
    [[...others, 'https://localhost.', 'http://128.0.0.1', 'http://[::2]', 'http://0.0.0.0', 'http://10.0.0.1'], false],
  ] as const)
    for (const url of urls)
      it(`${is ? 'has' : 'does not have'} ${url}`, () => {
        assert.equal(isThisMachine(new URL(url).hostname), is);
      });
});
