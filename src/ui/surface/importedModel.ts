import { importedItem } from '../../app/transfer/imported.ts';
import { limits } from '../../core/kit/words.ts';
import type { Imported } from '../kit/view.ts';
import type { View } from '../../store/store.ts';

/** The origin of an imported active item; empty for native ones. */
export function importedModel(view: View, id: string): { imported?: Imported } {
  const item = importedItem(view, id);
  if (!item) return {};
  const { from, source, ref } = item;
  return { imported: { from, source: source.slice(-limits.title), ref: ref.slice(0, limits.title) } };
}
