/** The pages of one browser: a returned page is opened again by the next test, as an empty one. */
import type { Browser, Page } from 'playwright-core';
import { boundary } from './hostPage.ts';
import { themes, type ThemeName } from './themes.ts';

export interface PageOptions {
  readonly theme: ThemeName;
  readonly width: number;
  readonly height: number;
  /** 2 stands for 200 %. */
  readonly zoom: number;
}

export interface Pages {
  take(options: PageOptions): Promise<Page>;
  /** @param changed - the page was changed irreversibly, for example by a clock of its own */
  giveBack(page: Page, changed: boolean): Promise<void>;
}

/** @param empty - an address without scripts, from which the storage of the tested pages can be reached */
export function pagesOf(browser: Browser, empty: string): Pages {
  const idle = new Map<string, Page[]>();
  const kinds = new WeakMap<Page, string>();

  return {
    take: async ({ theme, width, height, zoom }) => {
      // Zoom makes the same window fewer, larger pixels, as in VS Code.
      const viewport = { width: Math.round(width / zoom), height: Math.round(height / zoom) };
      const kind = `${theme} ${String(zoom)}`;
      const known = idle.get(kind)?.pop();
      if (known) {
        await known.setViewportSize(viewport);
        return known;
      }
      const page = await browser.newPage({
        viewport,
        deviceScaleFactor: zoom,
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      kinds.set(page, kind);
      await page.addInitScript(boundary, themes[theme]);
      await page.goto(empty);
      return page;
    },
    giveBack: async (page, changed) => {
      if (changed) {
        await page.context().close();
        return;
      }
      page.removeAllListeners();
      // Nothing on the next page is under the pointer.
      await page.mouse.move(-1, -1);
      const kind = kinds.get(page) ?? '';
      idle.set(kind, [...(idle.get(kind) ?? []), page]);
    },
  };
}
