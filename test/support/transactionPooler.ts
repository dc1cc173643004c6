/** As poolers in transaction mode do it: many clients, one connection to the server, lent for one transaction each. */
import net from 'node:net';
import type { Postgres } from './postgres.ts';

interface Lent {
  readonly client: net.Socket;
  readonly bytes: Buffer;
}

/** Whoever connects speaks as `login`. */
export async function startPooler(
  postgres: Postgres,
  login: string,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = net.connect(`${postgres.host}/.s.PGSQL.${String(postgres.port)}`);
  server.write(startup({ user: login, database: 'postgres' }));
  const waiting: Lent[] = [];
  const clients = new Set<net.Socket>();
  let lentTo: net.Socket | null = null;
  let inTransaction = false;
  let greeted = false;

  const lend = () => {
    const next = waiting.findIndex(({ client }) => !inTransaction || client === lentTo);
    if (!greeted || (lentTo !== null && !inTransaction) || next < 0) return;
    const [request] = waiting.splice(next, 1);
    lentTo = request!.client;
    inTransaction = false;
    server.write(request!.bytes);
  };
  messages(server, 0, (message) => {
    if (greeted) lentTo?.write(message);
    // The server is ready for the next request: idle, or inside of a transaction.
    if (message[0] !== 'Z'.charCodeAt(0)) return;
    greeted = true;
    inTransaction = message[5] !== 'I'.charCodeAt(0);
    if (!inTransaction) lentTo = null;
    lend();
  });

  const pooler = net.createServer((client) => {
    clients.add(client);
    let request = Buffer.alloc(0);
    let known = false;
    client.on('error', () => undefined);
    messages(client, 1, (message) => {
      if (!known) {
        known = true;
        client.write(Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1'));
        return;
      }
      if (message[0] === 'X'.charCodeAt(0)) client.end();
      request = Buffer.concat([request, message]);
      if (!['Q', 'S'].includes(String.fromCharCode(message[0]!))) return;
      waiting.push({ client, bytes: request });
      request = Buffer.alloc(0);
      lend();
    });
  });
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  return {
    port: (pooler.address() as net.AddressInfo).port,
    close: async () => {
      for (const socket of [server, ...clients]) socket.destroy();
      await new Promise<void>((resolve) => {
        pooler.close(() => {
          resolve();
        });
      });
    },
  };
}

function startup(settings: Readonly<Record<string, string>>): Buffer {
  const fields = Object.entries(settings).flatMap(([name, value]) => [name, value]);
  const text = Buffer.from(`${fields.join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + text.length, 0);
  head.writeInt32BE(3 << 16, 4);
  return Buffer.concat([head, text]);
}

/** Calls back for each whole message. @param untyped how many messages at the beginning have no type byte */
function messages(socket: net.Socket, untyped: number, onMessage: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  let seen = 0;
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const type = seen < untyped ? 0 : 1;
      if (rest.length < type + 4) return;
      const end = type + rest.readInt32BE(type);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      seen++;
      onMessage(message);
    }
  });
}
