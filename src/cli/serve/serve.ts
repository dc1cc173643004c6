/** `holdpoint serve`: the forms of the editor in a browser, until the program is stopped. */
import type { Command } from 'commander';
import type { Verbs } from '../kit/verbs.ts';
import { tokenVerbs } from './token.ts';

export function serveVerb(program: Command, verbs: Verbs): void {
  const { io, globals, exit } = verbs;
  const serve = program
    .command('serve')
    .description('serve the forms of the editor to browsers, on this machine; every decision needs a passkey')
    .option('--port <n>', 'the port; default: 4764')
    .option('--listen <address>', 'an address beyond this machine: needs --origin, and TLS')
    .option('--origin <url>', 'https://… as browsers call the server')
    .option('--tls-cert <file>', "the server's own certificate, as PEM")
    .option('--tls-key <file>', 'its private key, as PEM')
    .option('--behind-proxy', 'a proxy in front of the server terminates TLS')
    .action(async (options: Record<string, string | boolean>, command: Command) => {
      const { workspace } = globals(command);
      const given = { ...options, ...(workspace === undefined ? {} : { workspace }) };
      exit(await io.serveForms(Object.entries(given).flatMap(asArguments)));
    });
  tokenVerbs(serve, verbs);
}

function asArguments([name, value]: [string, string | boolean]): string[] {
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return typeof value === 'string' ? [option, value] : [option];
}
