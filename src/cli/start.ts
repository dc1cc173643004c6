#!/usr/bin/env node
/** Entry of `holdpoint`. */
import module from 'node:module';
import path from 'node:path';

module.enableCompileCache(path.join(import.meta.dirname, 'compiled'));
export const ended = import('./main.ts');
