import assert from 'node:assert/strict';
import { schema } from '../../../src/store/rows/schema.ts';
import { projectionVersion } from '../../../src/store/rows/version.ts';
import { versionOf, versionParts } from '../../../src/store/rows/versionParts.ts';

describe('the version of rows', () => {
  const parts = versionParts();

  it('is a positive number that SQLite stores, the same each time', () => {
    assert.ok(projectionVersion() > 0 && projectionVersion() < 2 ** 31);
    assert.equal(projectionVersion(), versionOf(versionParts()));
  });

  it('changes with a table, a word or the format', () => {
    const [first = [], ...others] = parts.lists;
    for (const changed of [
      { ...parts, schema: [...schema, 'CREATE TABLE more (id TEXT)'] },
      { ...parts, lists: others },
      { ...parts, lists: [[...first, 'a word'], ...others] },
      { ...parts, format: parts.format + 1 },
    ])
      assert.notEqual(versionOf(changed), projectionVersion());
  });

  it('includes every list of words that records accept', () => {
    const names = parts.lists.map(([name]) => name);
    for (const name of ['urgency', 'questionStatus', 'rfcStatus', 'requestStatus'])
      assert.ok(names.includes(name), name);
  });
});
