import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../support/host.ts';

export const pageFile = path.join(root, 'docs', 'outcomes.md');

export async function formatted(page: string): Promise<string> {
  return format(page, { ...(await resolveConfig(pageFile)), parser: 'markdown' });
}
