import assert from 'node:assert/strict';
import { onMountedDrive, openedOnWindows } from '../../../src/app/workspace/paths.ts';

describe('a name on Windows', () => {
  for (const [name, opened] of [
    ['src\\a.ts', 'src\\a.ts'],
    ['../a.ts', '../a.ts'],
    ['src\\a.ts. .', 'src\\a.ts'],
    ['src. /a.ts', 'src/a.ts'],
    ['a.ts. :note', 'a.ts'],
    ['src::$INDEX_ALLOCATION\\a.ts', 'src\\a.ts'],
    ['.../a.ts', './a.ts'],
    ['C:\\ws\\a.ts', 'C:\\ws\\a.ts'],
    ['\\\\?\\c:\\ws\\a.ts', 'c:\\ws\\a.ts'],
    ['//./C:/ws/a.ts', 'C:/ws/a.ts'],
    ['C:a.ts', null],
    ['\\\\host\\share\\a.ts', null],
    ['\\\\?\\UNC\\host\\share', null],
    ['\\\\?\\GLOBALROOT\\x', null],
  ] as const)
    it(`${name} opens ${opened ?? 'what may be anywhere'}`, () => {
      assert.equal(openedOnWindows(name), opened);
    });

  for (const [name, drive] of [
    ['/c/ws/a.ts', 'c:/ws/a.ts'],
    ['/mnt/C/ws', 'C:/ws'],
    ['/cygdrive/d', 'd:/'],
    ['/code/a.ts', null],
    ['c/a.ts', null],
  ] as const)
    it(`${name} of another shell is ${drive ?? 'no drive'}`, () => {
      assert.equal(onMountedDrive(name), drive);
    });
});
