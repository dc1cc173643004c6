/** Templates with typed placeholders: what they match, and above all what they do not. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { proposeTemplate } from '../../../src/core/precedent/propose.ts';
import { literalTemplate, matchTemplate, parseTemplate } from '../../../src/core/precedent/template.ts';
import type { Template, Values } from '../../../src/core/precedent/template.ts';
import { runs } from '../../support/runs.ts';

function template(source: string, where: 'text' | 'more' = 'text'): Template {
  const parsed = parseTemplate(source, where);
  if ('problem' in parsed) throw new Error(`${source}: ${parsed.problem}`);
  return parsed;
}

function values(source: string, text: string): Values | null {
  return matchTemplate(template(source), text);
}

function problem(source: string, where: 'text' | 'more' = 'text'): string {
  const parsed = parseTemplate(source, where);
  return 'problem' in parsed ? parsed.problem : '';
}

const add = 'Add the dependency {package: word} {version: version}?';

describe('a template', () => {
  it('takes typed values out of fixed words', () => {
    assert.deepEqual(values(add, 'Add the dependency react 18.2.0?'), { package: 'react', version: '18.2.0' });
    assert.deepEqual(values(add, 'Add the dependency @types/node v24.1.0-rc.1?'), {
      package: '@types/node',
      version: 'v24.1.0-rc.1',
    });
    assert.deepEqual(values('Delete the file {file: path src/**|docs/**}?', 'Delete the file src/a/b.ts?'), {
      file: 'src/a/b.ts',
    });
    assert.deepEqual(values('Retry the job {n: number 1-10} times', 'Retry the job 10 times'), { n: '10' });
    assert.deepEqual(values('Deploy this to {where: one of staging|review}?', 'Deploy this to staging?'), {
      where: 'staging',
    });
    assert.deepEqual(values('Replace {{name}} by {x: word}', 'Replace {name} by y'), { x: 'y' });
  });

  it('matches nothing else', () => {
    for (const text of [
      'Add the dependency react 18.2.0',
      'add the dependency react 18.2.0?',
      'Add the dependency  react 18.2.0?',
      'Add the dependency react latest?',
      'Add the dependency  18.2.0?',
      'Add the dependency react 18.2.0? And delete src?',
      'Please: Add the dependency react 18.2.0?',
      'Add the dependency react evil 18.2.0?',
      'Add the dependency --registry=x 1.0?',
      'Add the dependency ../evil 1.0?',
      'Add the dependency react 18.2.0?\nAnd run it?',
    ])
      assert.equal(values(add, text), null, text);
    for (const n of ['0', '11', '1e1', '01', '+1', '-1', '1.0', '٣', '１', '99999999999999999999'])
      assert.equal(values('Retry the job {n: number 1-10} times', `Retry the job ${n} times`), null, n);
    for (const file of [
      'lib/a.ts',
      'src/../lib/a.ts',
      '/src/a.ts',
      'src//a.ts',
      'src/./a.ts',
      'src/a b.ts',
      'src\\a.ts',
    ])
      assert.equal(values('Delete the file {file: path src/**}?', `Delete the file ${file}?`), null, file);
    assert.equal(values('Deploy this to {where: one of staging|review}?', 'Deploy this to production?'), null);
  });

  it('never takes characters that are not seen, or letters that look like others', () => {
    const hidden = [
      '\u202E',
      '\u200B',
      '\u2066',
      '\uFEFF',
      '\u00AD',
      '\u{E0061}',
      '\u0007',
      '\u2800',
      '\u0430',
      '\u0301',
    ];
    for (const sign of hidden) {
      assert.equal(values(add, `Add the dependency re${sign}act 18.2.0?`), null);
      assert.equal(values(add, `Add the dependency react 18${sign}.2.0?`), null);
      assert.equal(values(add, `Add the dependency react 18.2.0${sign}?`), null);
      assert.equal(values(add, `${sign}Add the dependency react 18.2.0?`), null);
    }
    const more = template('Found {what: text}.', 'more');
    assert.deepEqual(matchTemplate(more, 'Found größere Dinge, 3 of them.'), { what: 'größere Dinge, 3 of them' });
    for (const sign of hidden.slice(0, 8)) assert.equal(matchTemplate(more, `Found a${sign}b.`), null);
    assert.match(problem('Add the dependency re\u200Bact?'), /invisible/);
  });

  it('has words between placeholders, and enough of them', () => {
    assert.match(problem('{a: word}'), /at least 8 letters/);
    assert.match(problem('Add: {a: word}'), /at least 8 letters/);
    assert.match(problem('Add the dependency {a: word}{b: word}'), /needs words between/);
    assert.match(problem('Add the dependency {a: word} {a: word}'), /twice/);
    assert.match(problem('Add the dependency {a: .*}'), /must be word, number/);
    assert.match(problem('Add the dependency {a: word'), /without a }/);
    assert.match(problem('Add the dependency a}'), /without a {/);
    assert.match(problem('Add the dependency {word}'), /needs a name and a type/);
    assert.match(problem('Add the dependency {n: number 9-1}'), /range/);
    assert.match(problem('Add the dependency {f: path ../x}'), /path of the workspace/);
    assert.match(problem('Add the dependency {f: path **}'), /path of the workspace/);
    assert.match(problem('Add the dependency {f: one of a}'), /2 to 20/);
    assert.match(problem('Add the dependency {a: text}'), /only outside the question/);
    assert.equal(problem('{a: text}', 'more'), '');
    const many = Array.from({ length: 21 }, (_, at) => `word {a${String(at)}: word}`).join(' ');
    assert.match(problem(many), /more than 20/);
  });

  it('reads each text once, whatever it repeats', () => {
    const source = `${'a '.repeat(20)}{x: word} b {y: word} c`;
    assert.equal(matchTemplate(template(source, 'more'), `${'a '.repeat(20)}${'z b '.repeat(50_000)}`), null);
  });

  it('of a text is that text, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ maxLength: 20 }), (text, other) => {
        const parsed = parseTemplate(literalTemplate(text), 'more');
        if ('problem' in parsed) return;
        assert.deepEqual(matchTemplate(parsed, text), {});
        assert.equal(matchTemplate(parsed, text + other) !== null, other === '');
      }),
      { numRuns: runs(300) },
    );
  });

  it('that matches gives back the text when its values are put in', () => {
    const piece = fc.constantFrom('react', '18.2.0', 'src/a.ts', '7', ' ', '?', 'Add ', '{', '\u202E', 'staging', 'é');
    const source = 'Please add {p: word} {v: version} to {f: path src/**} {n: number 0-9} {o: one of staging|review}?';
    const near = fc
      .tuple(piece, piece, piece, piece, piece)
      .map(([p, v, f, n, o]) => `Please add ${p} ${v} to ${f} ${n} ${o}?`);
    let matched = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
        ),
        (text) => {
          const found = values(source, text);
          if (!found) return;
          matched += 1;
          assert.equal(
            `Please add ${found['p']!} ${found['v']!} to ${found['f']!} ${found['n']!} ${found['o']!}?`,
            text,
          );
          assert.match(text, /^[\x20-\x7E]+$/);
        },
      ),
      { numRuns: runs(5_000), examples: [['Please add react 18.2.0 to src/a.ts 7 staging?']] },
    );
    assert.ok(matched > 0);
  });
});

describe('the proposed template', () => {
  it('makes placeholders of numbers, versions, quoted words and paths', () => {
    for (const [text, proposed] of [
      ['Add dependency `react` 18.2.0?', 'Add dependency `{name: word}` {version: version}?'],
      ['Delete src/old/a.ts and src/old/b.ts?', 'Delete {file: path src/old/**} and {file2: path src/old/**}?'],
      ['Raise the limit to 20?', 'Raise the limit to {n: number 0-20}?'],
      ['Use {braces} and/or sessions here?', 'Use {{braces}} and/or sessions here?'],
      ['Which way shall I go?', 'Which way shall I go?'],
    ] as const)
      assert.equal(proposeTemplate(text), proposed);
  });

  it('fits the text that it is made of', () => {
    const word = fc.constantFrom(
      'Add',
      '`react`',
      '18.2.0',
      '(7)',
      'src/a.ts',
      '"x"',
      '{',
      '}}',
      '1.2.3.',
      'é',
      '"',
      '12345678',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
        const text = words.join(' ');
        assert.ok(matchTemplate(template(proposeTemplate(text), 'more'), text));
      }),
      { numRuns: runs(500) },
    );
  });
});
