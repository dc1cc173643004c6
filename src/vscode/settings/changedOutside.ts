/** When to warn that another program has changed the settings of reminders. */

/**
 * Returns whether to warn now, given the digest of the settings and the one that this editor last wrote or accepted. One
 * warning for each change, and none at first sight: a window writes settings before their digest.
 */
export function openChangeWatch(): (now: string, accepted: string | undefined) => boolean {
  let seen = '';
  let warned = '';
  return (now, accepted) => {
    const isNew = seen !== now;
    seen = now;
    // The same change again, after this person undid it, is another one.
    if (accepted === now) warned = '';
    if (accepted === undefined || accepted === now || warned === now || isNew) return false;
    warned = now;
    return true;
  };
}
