/** How lists and notifications show agents’ Markdown. */
import assert from 'node:assert/strict';
import { plainText, rowLabel } from '../../../src/core/kit/text.ts';

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
