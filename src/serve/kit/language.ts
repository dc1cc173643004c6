/** The language of the server's texts: that of the program that started it, where the package has translations. */
import fs from 'node:fs';
import path from 'node:path';
import { defaultMaxIterations } from '../../core/rfc/review.ts';
import { runIn } from '../../ui/kit/program.ts';
import type { Texts } from '../../ui/kit/program.ts';

export function useLanguageOf(env: NodeJS.ProcessEnv): void {
  const tag = (env['LC_ALL'] ?? env['LANG'] ?? 'en').split(/[._@]/)[0]?.replace('_', '-') ?? 'en';
  const short = tag.split('-')[0] ?? '';
  const file = path.join(import.meta.dirname, '..', 'l10n', `bundle.l10n.${short}.json`);
  const isTranslated = /^[a-z]{2}$/.test(short) && fs.existsSync(file);
  runIn({
    language: /^[a-z]{2}(-[A-Z]{2})?$/.test(tag) ? tag : 'en',
    texts: isTranslated ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Texts) : undefined,
    remoteName: undefined,
    // Whoever starts the server trusts the folder: it runs nothing of it.
    isTrusted: true,
    reviewsAtMost: defaultMaxIterations,
  });
}
