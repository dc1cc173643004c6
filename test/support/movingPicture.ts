/** The moving picture of README.md: parts of a window side by side, one picture after another, as a GIF. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from './web.ts';

export interface Picture {
  /** PNG files of one height, from left to right. */
  readonly parts: readonly Buffer[];
  /** How long it stays. Milliseconds. */
  readonly ms: number;
}

/** What the page uses of the encoder, whose code runs in it. */
interface Encoder {
  GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: object): void;
    finish(): void;
    bytes(): Uint8Array;
  };
  quantize(pixels: Uint8ClampedArray, colours: number): number[][];
  applyPalette(pixels: Uint8ClampedArray, palette: number[][]): Uint8Array;
}

export async function writeMovingPicture(file: string, pictures: readonly Picture[]): Promise<void> {
  const encoder = await readFile(fileURLToPath(import.meta.resolve('gifenc')), 'utf8');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: `var module = { exports: {} }, exports = module.exports; ${encoder}` });
    const encoded = await page.evaluate(
      async (all) => {
        const { GIFEncoder, quantize, applyPalette } = (globalThis as unknown as { module: { exports: Encoder } })
          .module.exports;
        const gif = GIFEncoder();
        for (const { parts, ms } of all) {
          const images = await Promise.all(
            parts.map(async (part) => createImageBitmap(await (await fetch(`data:image/png;base64,${part}`)).blob())),
          );
          const gap = 2;
          const width = images.reduce((sum, image) => sum + image.width, gap * (images.length - 1));
          const height = Math.max(...images.map((image) => image.height));
          const canvas = new OffscreenCanvas(width, height);
          const context = canvas.getContext('2d')!;
          context.fillStyle = '#c8c8c8';
          context.fillRect(0, 0, width, height);
          let left = 0;
          for (const image of images) {
            context.drawImage(image, left, 0);
            left += image.width + gap;
          }
          const { data } = context.getImageData(0, 0, width, height);
          const palette = quantize(data, 256);
          gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay: ms });
        }
        gif.finish();
        return btoa(Array.from(gif.bytes(), (byte) => String.fromCharCode(byte)).join(''));
      },
      pictures.map(({ parts, ms }) => ({ parts: parts.map((part) => part.toString('base64')), ms })),
    );
    await writeFile(file, Buffer.from(encoded, 'base64'));
  } finally {
    await browser.close();
  }
}
