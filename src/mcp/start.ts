#!/usr/bin/env node
/** Entry of the MCP server. */
import module from 'node:module';
import path from 'node:path';

// Not in Node 22.0.
(module as Partial<typeof module>).enableCompileCache?.(path.join(import.meta.dirname, 'compiled'));
await import('./main.ts');
