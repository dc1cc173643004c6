/**
 * Decisions on their way. One at a time for each thing that is decided, until the host has spoken: this is what makes a
 * double click one decision. When the host stays silent the very same message can be sent again: the same act is done
 * once, however often it arrives.
 */

/** A message that decides: `key` names what is decided on, `act` the act. */
export interface AnyDecision {
  readonly key: string;
  readonly act: string;
}

export interface Flight<Decision extends AnyDecision> {
  readonly message: Decision;
  /** The host has been silent for so long that the page says so. */
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

    /** False: one is already on its way for this thing. */
    start(message: Decision): boolean {
      if (byKey.has(message.key)) return false;
      transmit(message);
      return true;
    },

    again(key: string): void {
      const flight = byKey.get(key);
      if (flight?.slow === true) transmit(flight.message);
    },

    /** The host has spoken about an act: it is over. */
    land(act: string): Decision | undefined {
      const flight = [...byKey.values()].find(({ message }) => message.act === act);
      if (flight) byKey.delete(flight.message.key);
      return flight?.message;
    },

    /** The thing is settled, whoever did it. */
    drop(key: string): void {
      byKey.delete(key);
    },
  };
}
