import assert from 'node:assert/strict';
import { payloadInput, recordedPayload, recordPayload } from '../../../src/core/kit/fields.ts';
import { limits } from '../../../src/core/kit/limits.ts';
const problem = (value: unknown) => payloadInput.safeParse(value).error?.issues[0]?.message ?? null;

const recordProblem = (text: string) => recordedPayload.safeParse(text).error?.issues[0]?.message ?? null;

/** An object of exactly this many bytes as JSON. */
const ofBytes = (bytes: number, filler = 'x') => ({
  a: filler.repeat((bytes - '{"a":""}'.length) / Buffer.byteLength(filler)),
});

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

describe('the payload of a question', () => {
  it('can be any JSON object', () => {
    for (const value of [{}, { a: [1, null, { b: true }] }, JSON.parse('{"constructor":1,"toString":{}}')]) {
      assert.equal(problem(value), null);
      assert.equal(recordProblem(recordPayload(value).payload ?? ''), null);
    }
    for (const value of [null, [], 'text', 1, true]) assert.equal(problem(value), 'must be a JSON object');
  });

  it('has a size limit in tools and records', () => {
    for (const filler of ['x', 'é', '漢', '😀']) {
      const most = ofBytes(limits.payloadBytes, filler);
      const bytes = Buffer.byteLength(JSON.stringify(most));
      assert.ok(bytes <= limits.payloadBytes && bytes > limits.payloadBytes - 4);
      const more = { ...most, b: 'xxxx' };
      assert.deepEqual([problem(most), problem(more)], [null, 'must be at most 16384 bytes of JSON']);
      assert.equal(recordProblem(JSON.stringify(most)), null);
      assert.equal(recordProblem(JSON.stringify(more)), 'must be at most 16384 bytes of JSON');
    }
  });

  it('has a depth limit, so that it can be displayed', () => {
    assert.deepEqual(
      [problem(nested(limits.payloadDepth)), problem(nested(limits.payloadDepth + 1))],
      [null, 'must have at most 16 levels'],
    );
    assert.equal(recordProblem(`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`), 'must have at most 16 levels');
  });

  it('cannot change an object’s prototype', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"a":[{"__proto__":1}]}']) {
      assert.equal(problem(JSON.parse(text)), 'must not have the name __proto__');
      assert.equal(recordProblem(text), 'must not have the name __proto__');
    }
  });

  it('has one canonical text in records, which no reader can interpret differently', () => {
    for (const text of ['{"a":1,"a":2}', '{"a": 1}', ' {"a":1}', '{"a":1e999}', '{"a":"\\u0062"}'])
      assert.equal(recordProblem(text), 'must be JSON in its shortest form', text);
    for (const text of ['', '{', '{}x', 'undefined']) assert.equal(recordProblem(text), 'must be JSON', text);
    assert.equal(recordProblem('[]'), 'must be a JSON object');
  });
});
