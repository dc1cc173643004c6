/** Addresses of git's remotes. */

/** Whether it leads, or may lead, to a repository on this machine. */
export function isLocalAddress(address: string): boolean {
  const [, scheme, host] = /^([a-z][a-z\d+.-]*):\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)/i.exec(address) ?? [];
  if (scheme !== undefined) return /^file$/i.test(scheme) || isThisMachine(host ?? '');
  // `ext::sh -c …`
  if (/^[\w+.-]+::/.test(address)) return true;
  // `git@host:path`; `C:\path` is a drive.
  const [, place] = /^(?:[^/@]*@)?([^/:]{2,}):/.exec(address) ?? [];
  return place === undefined || isThisMachine(place);
}

function isThisMachine(host: string): boolean {
  return /^(?:|localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[?::1\]?)$/i.test(host);
}
