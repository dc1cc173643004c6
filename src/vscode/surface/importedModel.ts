import { importedItem } from '../../app/transfer/imported.ts';
import { limits } from '../../core/kit/words.ts';
import type { Imported } from '../../protocol/kit/shared.ts';
import type { View } from '../../store/store.ts';

/** Where something comes from that takes part here; nothing for what is native. */
export function importedModel(view: View, id: string): { imported?: Imported } {
  const item = importedItem(view, id);
  if (!item) return {};
  const { from, source, ref } = item;
  return { imported: { from, source: source.slice(-limits.title), ref: ref.slice(0, limits.title) } };
}
