import assert from 'node:assert/strict';
import { onScreen } from '../../../src/vscode/status/toasts.ts';

describe('notifications of one agent', () => {
  /** Shows so many items of an agent, which stay open. */
  function flood(show: ReturnType<typeof onScreen>, agent: string, count: number): string[] {
    const seen: string[] = [];
    const stays = (what: string) => () => {
      seen.push(what);
      return new Promise<never>(() => undefined);
    };
    for (let at = 0; at < count; at++)
      void show({ agent, item: `${agent} ${String(at)}`, show: stays('single'), showMore: stays('more') });
    return seen;
  }

  it('appear three times, then one covers the rest', () => {
    assert.deepEqual(flood(onScreen(), 'flood-001', 500), ['single', 'single', 'single', 'more']);
  });

  it('leave the limit of other agents alone', () => {
    const show = onScreen();
    flood(show, 'flood-001', 10);
    assert.deepEqual(flood(show, 'other-001', 1), ['single']);
  });
});
