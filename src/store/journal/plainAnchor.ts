/** Recognizes the ordinary contents of a state file without its schema. */
import { isBase64, isCount, isListOf, isRecordOf, isSha256, isUuid } from '../../core/kit/quickChecks.ts';
import type { Anchor } from './stateFile.ts';

const ofAnchor = [
  'v',
  'root',
  'workspace',
  'epoch',
  'position',
  'head',
  'snapshot',
  'vouched',
  'worktrees',
  'replaces',
];
const ofSnapshot = ['name', 'stateHash', 'databaseHash', 'position', 'head', 'headAt'];
const signatureAtMost = 200;

export function isPlainAnchor(value: unknown): value is Anchor {
  return (
    isRecordOf(value, ofAnchor) &&
    value['v'] === 1 &&
    typeof value['root'] === 'string' &&
    isUuid(value['workspace']) &&
    (value['epoch'] === null || isUuid(value['epoch'])) &&
    isCount(value['position']) &&
    isSha256(value['head']) &&
    isSnapshot(value['snapshot']) &&
    isSnapshot(value['vouched']) &&
    isListOf(value['worktrees'], isWorktree) &&
    isListOf(value['replaces'], (root) => typeof root === 'string')
  );
}

function isSnapshot(value: unknown): boolean {
  if (value === null) return true;
  return (
    isRecordOf(value, ofSnapshot, ['keys', 'vouched']) &&
    typeof value['name'] === 'string' &&
    isSha256(value['stateHash']) &&
    isSha256(value['databaseHash']) &&
    isCount(value['position']) &&
    value['position'] > 0 &&
    isSha256(value['head']) &&
    isCount(value['headAt']) &&
    (value['keys'] === undefined || isSha256(value['keys'])) &&
    (value['vouched'] === undefined || isVouching(value['vouched']))
  );
}

function isVouching(value: unknown): boolean {
  if (!isRecordOf(value, ['keyid', 'sig']) || !isSha256(value['keyid'])) return false;
  return isBase64(value['sig']) && value['sig'].length <= signatureAtMost;
}

function isWorktree(value: unknown): boolean {
  return (
    isRecordOf(value, ['path', 'inode']) && typeof value['path'] === 'string' && Number.isSafeInteger(value['inode'])
  );
}
