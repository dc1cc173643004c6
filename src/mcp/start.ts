#!/usr/bin/env node
/** Entry of the MCP server. */
import module from 'node:module';
import path from 'node:path';

module.enableCompileCache(path.join(import.meta.dirname, 'compiled'));
export const ended = import('./main.ts');
