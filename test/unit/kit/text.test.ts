import assert from 'node:assert/strict';
import fc from 'fast-check';
import type * as z from 'zod';
import { cleanPath, PathError, seenFrom } from '../../../src/core/kit/paths.ts';
import {
  agentId,
  instant,
  otherText,
  questionId,
  textField,
  workId,
  workspacePath,
} from '../../../src/core/kit/fields.ts';
import { questionKey } from '../../../src/core/question/question.ts';
import { heldWork } from '../../support/store/heldWork.ts';
import { anyRecord, lineBody, type RecordInput } from '../../../src/core/records/records.ts';
import { firstLine, sameTextKey, plainText, rowLabel } from '../../../src/core/kit/text.ts';
import { urgencyRank } from '../../../src/core/kit/words.ts';
import { limits } from '../../../src/core/kit/limits.ts';
import { parseRecords } from '../../../src/store/store.ts';
import { runs } from '../../support/runs.ts';
import { makeLab, question, work } from '../../support/store/lab.ts';
describe('text', () => {
  describe('fields', () => {
    function check(name: string, schema: z.ZodType, raw: unknown, expected: RegExp | { data: unknown }): void {
      it(name, () => {
        const parsed = schema.safeParse(raw);
        if ('data' in expected) assert.deepEqual(parsed.data, expected.data);
        else
          assert.match(parsed.error?.issues[0]?.message ?? `accepted: ${String(parsed.data).slice(0, 50)}`, expected);
      });
    }

    const ten = textField(10);
    check('are trimmed', ten, '  a b\n', { data: 'a b' });
    check('may be as long as the limit', ten, 'x'.repeat(10), { data: 'x'.repeat(10) });
    check('are refused when they are too long', ten, 'x'.repeat(11), /at most 10 characters/);
    check('are measured after trimming', ten, ` ${'x'.repeat(10)} `, { data: 'x'.repeat(10) });
    check('must not be empty', ten, '', /must not be empty/);
    check('must not be blank', ten, ' \t\n\u00a0\u2003', /must not be empty/);
    check('may hold only whole characters', ten, 'a\ud800', /surrogate/);
    check('refuse the second half of a surrogate pair', ten, '\udc00a', /surrogate/);
    check('may contain emoji', ten, '😀', { data: '😀' });
    check('refuse control characters', ten, 'a\u0000b', /control characters/);
    check('refuse escape sequences', ten, '\u001b[31m', /control characters/);
    check('refuse C1 controls', ten, 'a\u009bb', /control characters/);
    check('may contain tabs and line breaks', ten, 'a\tb\r\nc', { data: 'a\tb\r\nc' });
    check('must be strings', ten, 7, /expected string/);
    check('refuse 2 MB of text', otherText, 'x'.repeat(2_000_000), /at most 10000 characters/);

    check('work id', workId, 'TASK-1.2:a/b#c@d', { data: 'TASK-1.2:a/b#c@d' });
    check('work id with a space', workId, 'T 1', /must start with a letter or digit/);
    check('work id that begins with a sign', workId, '-T', /must start with a letter or digit/);
    check('work id with a line break', workId, 'T\n', /must start with a letter or digit/);
    check('work id too long', workId, 'x'.repeat(101), /at most 100 characters/);
    check('question id', questionId, 'Q-12', { data: 'Q-12' });
    for (const bad of ['Q-0', 'Q-01', 'q-1', 'Q-1 ', 'Q-9999999999'])
      check(`question id ${bad}`, questionId, bad, /must look like Q-12/);
    check('agent id', agentId, 'backend-worker-001', { data: 'backend-worker-001' });
    for (const good of [
      'payments-agent',
      'alice',
      'Worker-1',
      'a--1',
      'Claude Code 2',
      '李雷',
      'x'.repeat(64),
      `${'x'.repeat(90)}-1`,
    ])
      check(`agent id ${good}`, agentId, good, { data: good });
    for (const bad of [
      '',
      ' a',
      'a ',
      '-1',
      'a-1-',
      'a/b/c',
      'a/',
      'a\nb',
      'a\u202eb',
      'a\u200bb',
      'a"b',
      'x'.repeat(65),
    ])
      check(`agent id ${JSON.stringify(bad)}`, agentId, bad, /must be a name of 1 to 64/);
    check('agent id a/b', agentId, 'a/b', { data: 'a/b' });
    for (const bad of ['../a', './a', '/a', ' /a', '-/a'])
      check(`agent id ${bad}`, agentId, bad, /cannot be the name of a person/);
    for (const bad of ['human', 'Human', 'SYSTEM', 'ｈｕｍａｎ', 'reviewer', 'holdpoint'])
      check(`agent id ${bad}`, agentId, bad, /name of another kind of actor/);
    check('time', instant, '2026-03-02T12:00:00.000Z', { data: '2026-03-02T12:00:00.000Z' });
    for (const bad of ['2026-03-02T12:00:00Z', '2026-03-02T12:00:00.000+01:00', '+010000-01-01T00:00:00.000Z', 'now'])
      check(`time ${bad}`, instant, bad, /Invalid/);
  });

  describe('paths', () => {
    function check(raw: string, expected: string | RegExp): void {
      it(JSON.stringify(raw.slice(0, 40)), () => {
        if (typeof expected === 'string') assert.equal(cleanPath(raw), expected);
        else
          assert.throws(
            () => cleanPath(raw),
            (error: unknown) => error instanceof PathError && expected.test(error.message),
          );
        assert.equal(workspacePath.safeParse(raw).success, typeof expected === 'string');
      });
    }

    check('./src//a/../b.ts', 'src/b.ts');
    check('src\\a.ts', 'src/a.ts');
    check('', /must not be empty/);
    check('a/..', '.');
    check('..', /climbs out/);
    check('a/../..', /climbs out/);
    check('/a', /inside the workspace/);
    check('\\\\host\\share', /inside the workspace/);
    check('c:/a', /inside the workspace/);
    check('a\nb', /control characters/);
    check('\udfff', /surrogate/);
    check('x'.repeat(limits.path + 1), /at most 1000 characters/);

    it('stay the same when normalized again, and never leave the root', () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom('a', '.', '..', ' ', '/', '\\', 'C:', 'é'), { minLength: 1, maxLength: 9 }),
          (parts) => {
            let clean: string;
            try {
              clean = cleanPath(parts.join(''));
            } catch (error) {
              assert.ok(error instanceof PathError);
              return;
            }
            assert.equal(cleanPath(clean), clean);
            assert.ok(!clean.startsWith('/') && !clean.split('/').includes('..'), clean);
          },
        ),
        { numRuns: runs(3_000) },
      );
    });
  });

  describe('paths of one worktree', () => {
    function check(other: string, worktree: string, path: string, expected: string | null): void {
      it(`${path} in ${worktree}, seen from ${other}: ${String(expected)}`, () => {
        assert.equal(seenFrom(other, worktree, path), expected);
      });
    }

    check('.', '.', 'src/a', 'src/a');
    check('.', '.', '.', '.');
    check('.', 'inner', 'a', 'inner/a');
    check('inner', '.', 'inner/a', 'a');
    check('inner', '.', 'inner', '.');
    check('inner/deep', '.', 'inner', '.');
    check('inner', '.', 'innermost/a', null);
    check('inner', '.', 'src', null);
    check('.', '../linked', 'src', null);
    check('../linked', '.', 'src', null);
    check('../linked', '.', '.', null);
    check('../linked', '../linked', 'src', 'src');
    check('../linked', '../linked/deep', 'a', 'deep/a');
    check('../linked', '../other', 'a', null);
    check('D:/linked', 'D:/linked', 'a', 'a');
    check('D:/linked', '.', 'a', null);
  });

  describe('records', () => {
    it('survive writing and reading', () => {
      for (const written of [
        work('T1', { holds: ['./src/a/../b'] }),
        question(1, { text: ' x ', files: [{ path: './a' }] }),
      ]) {
        const once = anyRecord.safeParse(written).data;
        assert.ok(once);
        assert.deepEqual(anyRecord.safeParse(JSON.parse(JSON.stringify(once))).data, once);
      }
    });

    it('accept only actors with displayable, hashable text', () => {
      const line = {
        at: 0,
        prev: '0'.repeat(64),
        op: '00000000-0000-4000-8000-000000000000',
        time: '2026-03-02T12:00:00.000Z',
        records: [1],
      };
      const parses = (actor: object) => lineBody.safeParse({ ...line, actor }).success;
      assert.ok(parses({ kind: 'agent', id: 'copilot-001', session: 's', worktree: '.' }));
      for (const bad of [
        { id: 'a\ud800' },
        { id: '' },
        { id: 'x'.repeat(101) },
        { id: 'a', session: 'a\u0000' },
        { id: 'a', worktree: '\ud800' },
      ])
        assert.ok(!parses({ kind: 'agent', ...bad }), JSON.stringify(bad));
    });
  });

  it('of invisible characters alone, and choices that look alike, are refused when written, and still hold when read', () => {
    const problem = (more: object) => {
      try {
        return parseRecords([question(1, more) as RecordInput]).length === 1 ? '' : 'lost';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const holds = (more: object) => {
      const lab = makeLab();
      lab.write([work('T1'), question(1, { work: 'T1', ...more })]);
      return heldWork(lab.state).has('T1');
    };
    for (const text of ['\u200b', '\u2060\u200b', '\u202e \u200f', '\u3164', '\u2800\n\u00ad', '\u{e0041}']) {
      assert.match(problem({ text }), /text: must not be empty/, JSON.stringify(text));
      assert.match(problem({ alternatives: [text] }), /alternatives.0: must not be empty/);
      assert.ok(holds({ text }), JSON.stringify(text));
    }
    for (const text of ['a', 'é', '\u200fשלום', '👩\u200d💻', '日本', '–']) assert.equal(problem({ text }), '', text);
    const labels = (...all: string[]) => ({ choices: all.map((label) => ({ label })) });
    for (const other of ['SQLite\u200b', '\u200eSQLite', 'SQLite\u2060', 'ＳＱＬｉｔｅ', 'SQ\u00adLite', 'SQLite']) {
      assert.match(problem(labels('SQLite', other)), /name a choice twice/, JSON.stringify(other));
      assert.equal(holds(labels('SQLite', other)), other !== 'SQLite', JSON.stringify(other));
    }
    assert.match(problem(labels('file one', 'ﬁle\u00a0one')), /name a choice twice/);
    assert.equal(problem(labels('SQLite', 'PostgreSQL', 'sqlite')), '');
  });

  it('compares as equal regardless of NFC, case and white space', () => {
    assert.equal(sameTextKey(' Cafe\u0301  or\n\tTEA? '), sameTextKey('caf\u00e9 or tea?'));
    assert.notEqual(sameTextKey('a b'), sameTextKey('ab'));
    assert.notEqual(questionKey('a-1', 'T1', 'x'), questionKey('a-1', null, 'T1x'));
    assert.notEqual(questionKey('a-1', 'T","x', 'y'), questionKey('a-1', 'T', 'x","y'));
  });

  it('appears in lists as its first line', () => {
    assert.equal(firstLine('one'), 'one');
    assert.equal(firstLine('one\ntwo'), 'one…');
    assert.equal(firstLine('😀'.repeat(5), 3), '😀😀…');
    assert.equal(firstLine('😀😀😀', 3), '😀😀😀');
  });

  it('ranks urgency from critical down', () => {
    assert.deepEqual(
      ['critical', 'high', 'medium', 'low'].map((value) => urgencyRank(value as 'low')),
      [0, 1, 2, 3],
    );
  });
});

/** How lists and notifications show agents’ Markdown. */
describe('Markdown in a list', () => {
  function check(text: string, expected: string): void {
    it(JSON.stringify(text), () => {
      assert.equal(plainText(text), expected);
    });
  }
  check('**JWT** or `sessions`?', 'JWT or sessions?');
  check('## Which _licence_?', 'Which licence?');
  check('- > *MIT* or ~~GPL~~?', 'MIT or GPL?');
  check('See [the plan](docs/plan.md) and ![a picture](a.png)', 'See the plan and a picture');
  check('Rename my_old_name to `__init__`?', 'Rename my_old_name to __init__?');
  check('Delete `*.ts` and `*.js`? 2 * 3 * 4', 'Delete *.ts and *.js? 2 * 3 * 4');
  check('-5 or 5?', '-5 or 5?');
  check('```ts\nconst a = 1;\n```', 'const a = 1;\n```');
  check('**', '**');
});

describe('a row’s label is the whole first line', () => {
  function check(text: string, expected: string): void {
    it(JSON.stringify(text), () => {
      assert.equal(rowLabel(text), expected);
    });
  }
  check('JWT or sessions?', 'JWT or sessions?');
  check('**May I** rename module 100?', 'May I rename module 100?');
  check('Should API tokens be JWTs or server-side sessions?', 'Should API tokens be JWTs or server-side sessions?');
  check('JWT or sessions?\n\nTwo partners must revoke.', 'JWT or sessions?…');
  check('Use src/authentication/tokens/refresh.ts?', 'Use src/authentication/tokens/refresh.ts?');
  check('👍'.repeat(40), '👍'.repeat(40));
});
