/**
 * Tokens with which agents call the server over HTTP. A token is random and shown once; the user-level file keeps its
 * hash. It names an agent and can do in its workspaces what that agent can, and nothing more: no token decides.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import { agentId, instant, sha256Hex } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';
import { putFile } from '../../store/journal/files.ts';
import { givenAgent, isNameOfHuman, ownAgent } from '../workspace/agents.ts';
import { AppError } from '../workspace/errors.ts';
import { readPrivateFile } from '../workspace/thisMachine.ts';
import type { AgentSession } from '../workspace/session.ts';
import type { Workspace } from '../workspace/workspace.ts';

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,59}$/, 'must be 1 to 60 of a-z, 0-9, dot, hyphen and underscore');

const agentToken = z.strictObject({
  name,
  agent: agentId,
  /** Folders of the stores that it opens. */
  roots: z.array(z.string().min(1)).min(1).max(limits.listItems),
  hash: sha256Hex,
  createdAt: instant,
  /** Null: until it is removed. */
  expiresAt: instant.nullable(),
});
export type AgentToken = Readonly<z.infer<typeof agentToken>>;

const tokenFile = z.strictObject({ v: z.literal(1), tokens: z.array(agentToken) });

const tokensAtMost = 200;
const prefix = 'hpt_';
const form = new RegExp(`^${prefix}[\\w-]{43}$`);

export type TokenPlace = Pick<Workspace, 'options' | 'userFolder' | 'now'>;

/** `expiresAt`: ISO 8601; null: until it is removed. */
export type NewToken = Pick<AgentToken, 'name' | 'agent' | 'roots' | 'expiresAt'>;

/**
 * @returns the token itself, which is kept nowhere
 * @throws AppError `conflict` for a name in use, `bad_input`
 */
export function addToken(place: TokenPlace & Pick<Workspace, 'pins'>, asked: NewToken): string {
  const known = listTokens(place);
  if (known.some((one) => one.name === asked.name))
    throw new AppError('conflict', `there is a token ${asked.name}: remove it first, or choose another name`);
  if (known.length >= tokensAtMost)
    throw new AppError('bad_input', `there are ${String(tokensAtMost)} tokens: remove those that are not in use`);
  // Without a person: in each workspace that it opens, the agent is one of the person who joined there.
  givenAgent({ pins: place.pins, person: () => null }, asked.agent, 'agent');
  const secret = `${prefix}${randomBytes(32).toString('base64url')}`;
  const token = agentToken.safeParse({ ...asked, hash: hashOf(secret).toString('hex'), createdAt: place.now() });
  if (!token.success) throw malformedTokens(token.error);
  write(place, [...known, token.data]);
  return secret;
}

/** Oldest first. @throws AppError `bad_input` if other users can read the file, or it is malformed */
export function listTokens(place: TokenPlace): readonly AgentToken[] {
  const file = fileOf(place);
  return readPrivateFile({ ...place.options, file, schema: tokenFile })?.tokens ?? [];
}

/** @throws AppError `not_found` */
export function removeToken(place: TokenPlace, removed: string): void {
  const known = listTokens(place);
  const kept = known.filter((one) => one.name !== removed);
  if (kept.length === known.length) throw new AppError('not_found', `there is no token ${removed}`);
  write(place, kept);
}

/**
 * The session of the agent whose token this is, or null. Reads the file each time, so that removing one takes effect at once.
 * @throws AppError as `listTokens`
 */
export function sessionOfToken(
  workspace: TokenPlace & Pick<Workspace, 'location' | 'worktree' | 'pins' | 'person'>,
  secret: string,
  host: string,
): AgentSession | null {
  const token = tokenOf(listTokens(workspace), secret);
  if (!token || !isValid(token, workspace)) return null;
  const id = ownAgent(workspace, token.agent);
  return id === null ? null : { actor: { kind: 'agent', id, worktree: workspace.worktree }, host };
}

function isValid(
  { agent, expiresAt, roots }: AgentToken,
  { location, now, pins }: Pick<Workspace, 'location' | 'now' | 'pins'>,
): boolean {
  const isCurrent = expiresAt === null || now() < expiresAt;
  return isCurrent && roots.includes(location.root) && !isNameOfHuman(agent, pins());
}

/** Compares with all of them, so that the time tells nothing. */
function tokenOf(tokens: readonly AgentToken[], secret: string): AgentToken | null {
  if (!form.test(secret)) return null;
  const hash = hashOf(secret);
  const found = tokens.filter((one) => timingSafeEqual(Buffer.from(one.hash, 'hex'), hash));
  return found[0] ?? null;
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function fileOf({ userFolder }: Pick<TokenPlace, 'userFolder'>): string {
  return path.join(userFolder, 'tokens.json');
}

function write(place: TokenPlace, tokens: readonly AgentToken[]): void {
  putFile(place.options, fileOf(place), `${JSON.stringify(tokenFile.parse({ v: 1, tokens }))}\n`);
}

function malformedTokens(error: z.ZodError): AppError {
  const [issue] = error.issues;
  return new AppError('bad_input', `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is malformed'}`.trim());
}
