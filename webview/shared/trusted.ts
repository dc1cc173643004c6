/**
 * A handler that only a person can trigger: scripted events are not `isTrusted`.
 * Everything that decides goes through here; so does everything else that is cheap to guard.
 */
export function byHuman<E extends Event>(handler: (event: E) => void): (event: E) => void {
  return (event) => {
    if (event.isTrusted) handler(event);
  };
}
