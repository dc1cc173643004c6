/** The real Claude Code. The program for this platform is a separate package, and needs no install script. */
import path from 'node:path';
import { findNpmHost } from './npmHost.ts';

/** The path of its program, or why it is unavailable. */
export function findClaudeCode(): Promise<{ readonly program: string } | { readonly missing: string }> {
  const platform = `${process.platform}-${process.arch}`;
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  return findNpmHost({
    name: 'claude-code',
    version: '2.1.330',
    packages: [`@anthropic-ai/claude-code-${platform}`],
    program: path.join('@anthropic-ai', `claude-code-${platform}`, name),
  });
}
