/** A page fetches its texts once (`/texts`), and not with every snapshot. */
export function withoutTexts(snapshot: unknown): object {
  return { ...(snapshot as object), strings: {} };
}
