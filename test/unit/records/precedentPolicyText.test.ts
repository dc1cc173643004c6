import assert from 'node:assert/strict';
import { formatExclusion, parseExclusion } from '../../../src/core/records/precedentPolicyText.ts';

describe('what precedents never answer, as a line', () => {
  for (const [line, rule] of [
    ['high', { urgencies: ['high'] }],
    ['approval payments/**', { types: ['approval'], globs: ['payments/**'] }],
    ['agent:build-bot', { agents: ['build-bot'] }],
    [
      'medium high decision db/** agent:build-bot agent:codex-001',
      {
        ...{ urgencies: ['medium', 'high'], types: ['decision'], globs: ['db/**'] },
        agents: ['build-bot', 'codex-001'],
      },
    ],
    ['everything', {}],
  ] as const)
    it(line, () => {
      const read = parseExclusion(line);
      assert.deepEqual(read, rule);
      assert.equal(formatExclusion(read), line);
    });

  for (const line of ['', 'rfc', 'agent:', '/etc/passwd', '../other'])
    it(`takes no rule from "${line}"`, () => {
      assert.equal(parseExclusion(line), null);
    });
});
