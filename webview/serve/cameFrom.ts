/** The page from which a person went to add a passkey, and to which they return. */

const pages = /^\/(open\/[A-Z]+-\d+|briefing|dashboard|policy|keys)?$/;

/** The page that adds a passkey, and then returns to this one. */
export function passkeyPageFrom(path: string): string {
  return pages.test(path) && path !== '/' ? `/passkey?from=${path}` : '/passkey';
}

/** Always a page of this server: a link from elsewhere may name any address. */
export function cameFrom(): string {
  const from = new URLSearchParams(location.search).get('from') ?? '';
  return pages.test(from) ? from : '/';
}
