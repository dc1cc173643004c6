// npm run demo: plays Holdpoint's main scenario automatically and prints a transcript. With `-- --team`: two machines of one
// team, on a PostgreSQL server of its own, in two editors; with `-- --team --headless` without editors. With `-- --phone`:
// a browser as wide as a phone answers with a passkey.
import { npm, prepare } from './lib/prepare.mjs';

await prepare();
if (npm('run', '--silent', 'build') !== 0) process.exit(1);

const { playMainJob } = await import('../test/e2e/mainJob.ts');
const { playTeamJob } = await import('../test/e2e/teamJob.ts');
const { playPhoneJob } = await import('../test/serve/phoneJob.ts');
const { MachineError } = await import('../test/support/machine.ts');
const { describeHost, findHost } = await import('../test/support/host.ts');

// Signals go through `exit`, which ends all started programs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

const started = Date.now();
const say = (line) => {
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6);
  console.log(line.startsWith('  ') ? `         ${line}` : `${seconds} s ${line}`);
};

try {
  if (process.argv.includes('--team')) await playTeam();
  else if (process.argv.includes('--phone')) await playPhone();
  else await play();
} catch (error) {
  console.error(error instanceof MachineError ? error.message : error);
  process.exitCode = 1;
}

async function play() {
  say(`This is ${await describeHost(await findHost())}, on a copy of sample/.`);
  const { gateBefore, gateAfter } = await playMainJob({ say, screenshots: true });
  end(gateBefore.code === 2 && gateAfter.code === 0, 'Held until a human decided, and not a moment longer.');
}

async function playPhone() {
  const { code, out } = await playPhoneJob(say);
  end(code === 0 && out.includes('Use sessions'), 'Answered from a phone, with a signature that no program can make.');
}

async function playTeam() {
  const editors = !process.argv.includes('--headless');
  const { gateBefore, gatesAfter, answers } = await playTeamJob({ say, editors });
  const released = gateBefore === 2 && gatesAfter.every((code) => code === 0);
  end(
    released && answers.every((text) => text.includes('Sessions')),
    'One question, asked on one machine and answered on the other.',
  );
}

function end(isRight, sentence) {
  say(isRight ? sentence : 'That is NOT what should have happened.');
  process.exitCode = isRight ? 0 : 1;
}
