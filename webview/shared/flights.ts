/**
 * Decisions in flight. One at a time per item, until the host has replied: this is what makes a
 * double click one decision. If the host does not reply, the same message can be sent again: an act is done
 * only once, however often it arrives.
 */

/** A message that decides: `key` names the item, `act` the act. */
export interface AnyDecision {
  readonly key: string;
  readonly act: string;
}

export interface Flight<Decision extends AnyDecision> {
  readonly message: Decision;
  /** The host has not replied for so long that the page shows a notice. */
  readonly slow: boolean;
}

export interface FlightsOptions<Decision extends AnyDecision> {
  readonly post: (message: Decision) => void;
  readonly later: (ms: number, run: () => void) => void;
  readonly changed: () => void;
}

export const slowMs = 15_000;

export function createFlights<Decision extends AnyDecision>({ post, later, changed }: FlightsOptions<Decision>) {
  const byKey = new Map<string, Flight<Decision>>();

  function transmit(message: Decision): void {
    byKey.set(message.key, { message, slow: false });
    post(message);
    later(slowMs, () => {
      if (byKey.get(message.key)?.message.act !== message.act) return;
      byKey.set(message.key, { message, slow: true });
      changed();
    });
  }

  return {
    of: (key: string): Flight<Decision> | undefined => byKey.get(key),

    /** False if one is already in flight for this item. */
    start(message: Decision): boolean {
      if (byKey.has(message.key)) return false;
      transmit(message);
      return true;
    },

    again(key: string): void {
      const flight = byKey.get(key);
      if (flight?.slow === true) transmit(flight.message);
    },

    /** The host has replied to an act: it is finished. */
    land(act: string): Decision | undefined {
      const flight = [...byKey.values()].find(({ message }) => message.act === act);
      if (flight) byKey.delete(flight.message.key);
      return flight?.message;
    },

    /** The item is decided, by this reader or another. */
    drop(key: string): void {
      byKey.delete(key);
    },
  };
}
