/** Lines and messages of the proxy: what another program could read differently ends the connection. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { BrokenConnection, linesOf, readMessage } from '../../../src/acp/messages.ts';
import { openPending } from '../../../src/acp/pending.ts';
import { askedEachTime, decisionIn, refusal } from '../../../src/acp/permission.ts';

async function lines(chunks: readonly (string | Buffer)[], limit?: number): Promise<string[]> {
  const found: string[] = [];
  for await (const line of linesOf(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), limit))
    found.push(Buffer.from(line).toString());
  return found;
}

const read = (text: string | Buffer) => readMessage(Buffer.from(text));

describe('lines of the proxy', () => {
  it('are found across chunks, in the middle of a character too', async () => {
    const bytes = Buffer.from('{"a":"ü"}\n\n{"b":1}\r\n');
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    assert.deepEqual(await lines(single), ['{"a":"ü"}', '{"b":1}\r']);
    assert.deepEqual(await lines([bytes]), ['{"a":"ü"}', '{"b":1}\r']);
  });

  it('are refused when they are too long, before their end, and without one', async () => {
    await assert.rejects(lines(['x'.repeat(11), 'x'], 10), /more than/);
    await assert.rejects(lines([`${'x'.repeat(11)}\n`], 10), BrokenConnection);
    assert.deepEqual(await lines([`${'x'.repeat(10)}\n`], 10), ['x'.repeat(10)]);
    await assert.rejects(lines(['{"a":1}\n{"b"']), /no end/);
  });
});

describe('messages of the proxy', () => {
  it('have ids of text, whole numbers and null', () => {
    for (const id of ['x', '', 0, -3, Number.MAX_SAFE_INTEGER, null])
      assert.deepEqual(read(JSON.stringify({ jsonrpc: '2.0', id, method: 'm' })), {
        kind: 'request',
        id,
        method: 'm',
        params: {},
      });
    for (const id of ['1.5', '9007199254740993', '1e300', 'true', '{}', '[1]'])
      assert.throws(() => read(`{"jsonrpc":"2.0","id":${id},"method":"m"}`), BrokenConnection, id);
  });

  it('are a request, a notification or a response, and nothing between', () => {
    assert.equal(read('{"jsonrpc":"2.0","method":"m"}').kind, 'notification');
    assert.equal(read('{"jsonrpc":"2.0","id":1,"result":null}').kind, 'response');
    assert.equal(read('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}\r').kind, 'response');
    for (const bad of [
      ...['[]', '[{"jsonrpc":"2.0","method":"m"}]', 'null', '1', '"x"', '{}', '{"jsonrpc":"1.0","method":"m"}'],
      ...[
        '{"jsonrpc":"2.0"}',
        '{"jsonrpc":"2.0","id":1}',
        '{"jsonrpc":"2.0","result":1}',
        '{"jsonrpc":"2.0","method":1}',
      ],
      ...['{"jsonrpc":"2.0","id":1,"method":"m","result":1}', '{"jsonrpc":"2.0","id":1,"result":1,"error":{}}'],
      ...['{"jsonrpc":"2.0","method":"m","params":[1]}', '{"jsonrpc":"2.0","method":"m"', '{} {}'],
    ])
      assert.throws(() => read(bad), BrokenConnection, bad);
    assert.throws(() => read(Buffer.from([0x7b, 0xff, 0x7d])), /UTF-8/);
  });

  it('wait for one response each', () => {
    const pending = openPending<string>();
    pending.add(1, 'number');
    pending.add('1', 'text');
    assert.throws(() => {
      pending.add(1, 'again');
    }, /in use/);
    assert.equal(pending.take('1'), 'text');
    assert.equal(pending.take('1'), undefined);
    assert.equal(pending.take(1), 'number');
    assert.equal(pending.take(null), undefined);
  });
});

describe('permissions of the proxy', () => {
  const option = (kind: string) => ({ kind, optionId: kind, name: kind });
  const offered = (...kinds: string[]) => ({ options: kinds.map(option) });
  const chosen = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });

  it('are refused once if possible, and cancelled without a refusal', () => {
    const outcome = (...kinds: string[]) => refusal(offered(...kinds), 'why')['outcome'];
    assert.deepEqual(outcome('allow_once', 'reject_always', 'reject_once'), chosen('reject_once').outcome);
    assert.deepEqual(outcome('allow_once', 'reject_always'), chosen('reject_always').outcome);
    assert.deepEqual(outcome('allow_once'), { outcome: 'cancelled' });
    assert.deepEqual(refusal({ options: 'x' }, 'why')['outcome'], { outcome: 'cancelled' });
  });

  it('are given for one call', () => {
    assert.deepEqual(
      askedEachTime(offered('allow_always', 'allow_once', 'reject_once')),
      offered('allow_once', 'reject_once'),
    );
    assert.deepEqual(askedEachTime(offered('allow_always', 'reject_once')), offered('allow_always', 'reject_once'));
  });

  it('are unclear unless the client chose one option that it was offered', () => {
    const given = offered('allow_once', 'reject_once');
    assert.equal(decisionIn(given, chosen('allow_once')), 'allowed');
    assert.equal(decisionIn(given, chosen('reject_once')), 'refused');
    assert.equal(decisionIn(given, { outcome: { outcome: 'cancelled' } }), 'refused');
    for (const bad of [chosen('allow_always'), {}, null, { outcome: 'selected' }, { outcome: { outcome: 'yes' } }])
      assert.equal(decisionIn(given, bad), 'unclear');
    const twice = { options: [option('reject_once'), { ...option('allow_once'), optionId: 'reject_once' }] };
    assert.equal(decisionIn(twice, chosen('reject_once')), 'unclear');
  });
});
