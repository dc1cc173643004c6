/**
 * How the editor and `holdpoint serve` recognize each other on a port that any program can take. The server keeps a new
 * secret in the user-level folder, and each side proves that it can read it. A proof is for one address, one request and
 * one reply, so that a program in between gains nothing by passing messages on.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import { putFile } from '../../store/journal/files.ts';
import { readPrivateFile } from '../workspace/thisMachine.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** One number, because passkeys of this machine belong to a port. */
export const servePort = 4764;

/** What browsers call the server of this machine. */
export function localOrigin(port: number): string {
  return `http://localhost:${String(port)}`;
}

/** `look`: which folder it shows. `code`: also a one-time code, which opens a session. `end`: it is to stop. */
export const editorAsk = z.enum(['look', 'code', 'end']);
export type EditorAsk = z.infer<typeof editorAsk>;

export const editorRequest = z.strictObject({
  ask: editorAsk,
  nonce: z.string().min(20).max(100),
  proof: z.string().max(100),
});

export const editorReply = z.strictObject({
  /** The folder of the store that it shows. */
  folder: z.string(),
  byEditor: z.boolean(),
  code: z.string().optional(),
  proof: z.string(),
});
export type EditorReply = z.infer<typeof editorReply>;

type LinkContext = Pick<Workspace, 'options' | 'userFolder'>;

export function keepSecret(context: LinkContext, port: number, secret: string): void {
  putFile(context.options, fileOf(context, port), `${JSON.stringify({ v: 1, secret })}\n`);
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Null when no server of this user listens on this port, or its file cannot be read, or others can read it. */
export function readSecret(context: LinkContext, port: number): string | null {
  const schema = z.object({ v: z.literal(1), secret: z.string().min(40) });
  try {
    return readPrivateFile({ ...context.options, file: fileOf(context, port), schema })?.secret ?? null;
  } catch {
    return null;
  }
}

/** Removes the file of a server that ends, unless a later one has its own there. */
export function dropSecret(context: LinkContext, port: number, secret: string): void {
  if (readSecret(context, port) === secret) context.options.fs.rmSync(fileOf(context, port), { force: true });
}

interface Asked {
  readonly origin: string;
  readonly ask: EditorAsk;
  readonly nonce: string;
}

export function editorProof(secret: string, { origin, ask, nonce }: Asked): string {
  return proofOf(secret, ['editor', origin, ask, nonce]);
}

export function serverProof(
  secret: string,
  { origin, ask, nonce }: Asked,
  { folder, byEditor, code = '' }: Omit<EditorReply, 'proof'>,
): string {
  return proofOf(secret, ['server', origin, ask, nonce, folder, String(byEditor), code]);
}

export function isSameProof(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function proofOf(secret: string, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
}

function fileOf({ userFolder }: LinkContext, port: number): string {
  return path.join(userFolder, `serving-${String(port)}.json`);
}
