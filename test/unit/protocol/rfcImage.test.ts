/** Images that a review may show: data URLs in four formats, checked by their first bytes. */
import assert from 'node:assert/strict';
import { imageType } from '../../../src/ui/rfc/images.ts';

describe('an image in a review', () => {
  const starts: [string, string | undefined][] = [
    ['\x89PNG\r\n\x1a\n\0\0', 'png'],
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['GIF89a', 'gif'],
    ['RIFF\n\0\0\0WEBPVP8 ', 'webp'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', undefined],
    [' \x89PNG\r\n\x1a\n', undefined],
    ['RIFF\0\0\0\0WAVE', undefined],
    ['', undefined],
  ];
  for (const [start, type] of starts)
    it(`${JSON.stringify(start)}: ${type ?? 'none'}`, () => {
      assert.equal(imageType(start), type);
    });
});
