/** `npm run outcomes`: writes the second half of docs/outcomes.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { half, heading, kinds, section, type Section } from './page.ts';
import { formatted, pageFile } from './pageFile.ts';

const sections: Section[] = [];
for (const kind of kinds) sections.push(await section(kind));
const [first = ''] = (await readFile(pageFile, 'utf8')).split(heading);
await writeFile(pageFile, await formatted(first + half(sections)));
// Open stores keep watching their folders.
process.exit(0);
