/**
 * What a program of the remote machine's user can do to decide in a person's place. Run as that user, with what it tries
 * and the workspace; prints a line of JSON.
 *
 *     node test/support/remoteUser.ts memory
 *     node test/support/remoteUser.ts profiles
 *     node test/support/remoteUser.ts sign FOLDER QUESTION
 *     node test/support/remoteUser.ts pin FOLDER QUESTION
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decideQuestion, shownHash } from '../../src/app/decision/decisions.ts';
import type { Verdict } from '../../src/app/decision/decisions.ts';
import { enrolKey } from '../../src/app/keys/enrolment.ts';
import { startAgent } from './agent.ts';
import { makeHuman } from './store/human.ts';

/** Which processes of other users let this one read their memory. */
function othersMemory(): object {
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !isMine(name));
  return { others: others.length, readable: others.filter((pid) => canOpen(`/proc/${pid}/mem`)) };
}

/** Which folders of browsers, where the person's side keeps its key, this user can look into. */
function browserProfiles(): object {
  const profiles = readdirSync(tmpdir()).filter((name) => name.startsWith('playwright_'));
  return { others: profiles.length, readable: profiles.filter((name) => canList(path.join(tmpdir(), name))) };
}

function canList(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function isMine(pid: string): boolean {
  return canOpen(`/proc/${pid}/environ`);
}

function canOpen(file: string): boolean {
  try {
    closeSync(openSync(file, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Signs an answer with a key of its own, by the editor's own code, after it pinned that key if asked to. */
async function decide(workspace: string, id: string, pins: boolean): Promise<object> {
  const agent = startAgent({ workspace, env: process.env });
  const mallory = makeHuman('Ada Lovelace');
  if (pins) enrolKey(agent.workspace, mallory.publicKey, mallory.name);
  const store = await agent.workspace.store();
  const { state } = store.read();
  const question = state.questions.get(id);
  const shown = question ? shownHash(state, question) : '';
  const verdict: Verdict = { kind: 'answer', answer: { choices: [], text: 'Yes, of course.' } };
  try {
    const { outcome } = await decideQuestion({ store, signer: mallory, newId: randomUUID }, id, verdict, shown);
    return { outcome };
  } catch (error) {
    return { outcome: 'refused', why: String(error) };
  } finally {
    agent.close();
  }
}

const [what = '', workspace = '', question = ''] = process.argv.slice(2);
const look: Readonly<Record<string, () => object>> = { memory: othersMemory, profiles: browserProfiles };
console.log(JSON.stringify(look[what]?.() ?? (await decide(workspace, question, what === 'pin'))));
