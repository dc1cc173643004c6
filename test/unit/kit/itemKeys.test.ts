import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { itemKeys } from '../../../src/ui/kit/folders.ts';
import { agentNamed, shownAgent } from '../../../src/core/kit/persons.ts';
import { isRfcId, itemId } from '../../../src/core/waiting/items.ts';

interface Folder {
  readonly uri: URL;
}

const folderAt = (path: string): Folder => ({ uri: pathToFileURL(path) });

describe('the keys of items in a window', () => {
  const [a, b, c] = ['/code/a', '/code/b', '/code/c'].map(folderAt) as [Folder, Folder, Folder];
  let open: Folder[];
  let sample: Folder | null;
  const keys = itemKeys<Folder>(
    () => open,
    () => sample,
  );
  beforeEach(() => {
    open = [a, b, c];
    sample = null;
  });

  it('stand for the same folder when others are removed, added or sorted', () => {
    const key = keys.keyOf(c, 'Q-3');
    for (const others of [[a, c], [c], [c, b, a], [folderAt('/code/0'), b, c]]) {
      open = others;
      assert.deepEqual(keys.find(key), { folder: c, id: 'Q-3' });
      assert.equal(keys.keyOf(c, 'Q-3'), key);
    }
  });

  it('of a removed folder stand for nothing, and for it again when it comes back', () => {
    const key = keys.keyOf(b, 'RFC-1');
    open = [a, c];
    assert.equal(keys.find(key), null);
    assert.equal(keys.keyOf(b, 'RFC-1'), key);
    const again = folderAt('/code/b');
    open = [a, c, again];
    assert.equal(keys.find(key)?.folder, again);
  });

  it('differ between folders', () => {
    assert.equal(new Set(open.map((folder) => keys.keyOf(folder, 'Q-1'))).size, 3);
  });

  it('name forms whose ids have slashes, and a folder with another store', () => {
    const key = keys.keyOf(a, 'together/Q-1');
    assert.equal(keys.find(key)?.id, 'together/Q-1');
    assert.equal(keys.keyOf({ ...a }, 'together/Q-1'), key);
  });

  it('name the sample while it is open', () => {
    sample = folderAt('/tmp/sample');
    const key = keys.keyOf(sample, 'Q-1');
    assert.equal(key, 'sample/Q-1');
    assert.equal(keys.find(key)?.folder, sample);
    sample = null;
    assert.equal(keys.find(key), null);
  });

  it('with the place of a folder, as earlier versions wrote them, stand for nothing', () => {
    for (const key of ['0/Q-1', '2/Q-3', '-1/Q-1', 'Q-1', '/Q-1', '', 'sample/Q-1', keys.keyOf(a, '')])
      assert.equal(keys.find(key), null, key);
  });
});

/** Ids of agents as people read them in a journal that a team shares. */
describe('the id of an agent', () => {
  it('is shown without the person to that person, and whole to all others', () => {
    for (const [id, own, shown] of [
      ['Ada/claude-code-001', 'Ada', 'claude-code-001'],
      ['Ada/claude-code-001', 'Grace', 'Ada/claude-code-001'],
      ['Ada/claude-code-001', null, 'Ada/claude-code-001'],
      ['claude-code-001', 'Ada', 'claude-code-001'],
      ['Adam/claude-code-001', 'Ada', 'Adam/claude-code-001'],
    ] as const)
      assert.equal(shownAgent(id, own), shown);
  });

  it('that is shown names the same agent again', () => {
    for (const id of ['Ada/claude-code-001', 'Grace/claude-code-001'])
      assert.equal(agentNamed(shownAgent(id, 'Ada'), 'Ada'), id);
    assert.equal(agentNamed('claude-code-001', null), 'claude-code-001');
  });
});

describe('an item named to open its form', () => {
  for (const id of ['Q-1', 'RFC-12'])
    it(id, () => {
      assert.ok(itemId.safeParse(id).success);
    });
  for (const id of ['', 'Q-0', 'RFC-', 'rfc-1', 'RFC-1 ', 'E-1', '../RFC-1'])
    it(`is not ${JSON.stringify(id)}`, () => {
      assert.equal(itemId.safeParse(id).success, false);
    });

  it('is recognized as an RFC or a question', () => {
    assert.deepEqual([isRfcId('RFC-3'), isRfcId('Q-3')], [true, false]);
  });
});
