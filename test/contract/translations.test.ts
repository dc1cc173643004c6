import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brokenIn, languages, missingFrom, staleIn } from '../../scripts/generate/translations.ts';
import type { English, Translation } from '../../scripts/generate/translations.ts';

const root = path.join(import.meta.dirname, '..', '..');
const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(path.join(root, file), 'utf8'));

for (const language of languages)
  describe(`the translation ${language}`, () => {
    const files = [
      ['package.nls.json', `package.nls.${language}.json`],
      ['l10n/bundle.l10n.json', `l10n/bundle.l10n.${language}.json`],
    ] as const;

    for (const [english, translation] of files)
      it(`${translation} covers every text except those listed as untranslated, and matches the English texts`, async () => {
        const source = (await json(english)) as English;
        const translated = (await json(translation)) as Translation;
        const listed = (await json(`l10n/untranslated.${language}.json`)) as readonly string[];
        const missing = missingFrom(source, translated);
        assert.deepEqual(
          missing.filter((key) => !listed.includes(key)),
          [],
          'npm run generate lists what has no translation yet',
        );
        assert.deepEqual(staleIn(source, translated), []);
        assert.deepEqual(brokenIn(source, translated), []);
      });

    it('lists only untranslated texts as untranslated', async () => {
      const listed = (await json(`l10n/untranslated.${language}.json`)) as readonly string[];
      const missing = await Promise.all(
        files.map(async ([english, translation]) =>
          missingFrom((await json(english)) as English, (await json(translation)) as Translation),
        ),
      );
      assert.deepEqual([...listed], missing.flat());
    });
  });

describe('translations', () => {
  const english = {
    'Sent: {0}.': 'Sent: {0}.',
    'Open/key': { message: 'Open', comment: ['key'] },
    a: '[Go](command:x) $(error)',
  };

  it('are reported if they are missing, empty, stale or have other placeholders', () => {
    const translation = {
      'Sent: {0}.': 'Gesendet: {1}.',
      'Open/key': ' ',
      a: '[Los](command:y) $(error)',
      gone: 'weg',
    };
    assert.deepEqual(missingFrom(english, translation), ['Open/key']);
    assert.deepEqual(staleIn(english, translation), ['gone']);
    assert.equal(brokenIn(english, translation).length, 2);
  });

  it('may reorder placeholders', () => {
    assert.deepEqual(brokenIn({ a: '{0} of {1}' }, { a: '{1}: {0}' }), []);
  });
});
