/**
 * A step of a workflow that asks a human, parks, and is called back. While it is parked, nothing runs for it but one
 * stream of events, and all that is known is in a file: the program may be killed and started again at any time.
 *
 *     HOLDPOINT_TOKEN=… node examples/parkedStep.ts http://localhost:4764 deploy.json "Deploy version 7?"
 */
import fs from 'node:fs';
import process from 'node:process';
import { connect, type Holdpoint, type HoldpointEvent } from '../client/client.ts';

interface Parked {
  readonly blocker: string;
  /** Up to where the events are handled. */
  readonly position: string;
}

const [url = 'http://localhost:4764', file = 'parked.json', question = 'May this step run?'] = process.argv.slice(2);
const holdpoint = connect({ url, token: process.env['HOLDPOINT_TOKEN'] ?? '' });
await callBack(holdpoint, readParked() ?? (await park(holdpoint)));

/** Asks. The same question again is the same blocker, so a crash in between does not ask twice. */
async function park({ call }: Holdpoint): Promise<Parked> {
  const asked = await call('create_blocker', { question, type: 'approval' });
  // From the beginning: an answer may have come already.
  const parked = { blocker: asked.id, position: '0' };
  keep(parked);
  console.log(`parked on ${asked.id}: ${asked.url}`);
  return parked;
}

/** Waits for the blocker to be resolved, then runs the step or does not. */
async function callBack({ call, events }: Holdpoint, { blocker, position }: Parked): Promise<void> {
  for await (const event of events({ since: position })) {
    if (isAbout(event, blocker)) {
      // Taking the outcome counts as resuming. Only `proceed` allows the step.
      const { result, question: now } = await call('await_answer', { id: blocker, wait_seconds: 0 });
      if (result !== 'waiting') {
        console.log(
          result === 'proceed'
            ? `the step runs: ${now?.answer?.choices.join() ?? ''}`
            : `the step does not run: ${result}`,
        );
        fs.rmSync(file);
        return;
      }
    }
    keep({ blocker, position: event.position });
  }
}

function isAbout(event: HoldpointEvent, blocker: string): boolean {
  return 'blocker_id' in event && event.blocker_id === blocker;
}

function readParked(): Parked | null {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Parked) : null;
}

/** The whole file or none of it, so that it can be read after a crash. */
function keep(parked: Parked): void {
  fs.writeFileSync(`${file}.new`, JSON.stringify(parked));
  fs.renameSync(`${file}.new`, file);
}
