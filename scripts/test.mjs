// npm test: installs what is missing and runs every check, in this order, stopping at the first failure.
// npm test -- --only vscode,e2e    only these        npm test -- --list    their names
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { npmCommand, prepare, root } from './lib/prepare.mjs';

/** Each step is a script of package.json; `real` ones need a VS Code or a browser. */
const steps = [
  { name: 'format', script: 'lint:format' },
  { name: 'types', script: 'lint:types' },
  { name: 'code', script: 'lint:code' },
  { name: 'deps', script: 'lint:deps' },
  { name: 'unused', script: 'lint:unused' },
  { name: 'unit', script: 'test:unit' },
  { name: 'build', script: 'build' },
  { name: 'contract', script: 'test:contract' },
  { name: 'mcp', script: 'test:mcp' },
  { name: 'vscode', script: 'test:vscode', real: true },
  { name: 'webview', script: 'test:webview', real: true },
  { name: 'e2e', script: 'test:e2e', real: true },
  { name: 'package', script: 'test:package' },
];

process.exitCode = await main(process.argv.slice(2));

async function main(argv) {
  if (argv.includes('--list')) {
    console.log(steps.map(({ name }) => name).join('\n'));
    return 0;
  }
  const selected = select(argv);
  if (!selected) return 1;
  await prepare();
  if (selected.some(({ real }) => real) && !(await prepareHost())) return 1;
  const total = { passed: 0, failed: 0 };
  for (const step of selected) {
    console.log(`\n== ${step.name}`);
    const { code, passed, failed } = await runStep(step);
    total.passed += passed;
    // A step without tests of its own, such as the linter, fails as one.
    total.failed += code === 0 ? failed : Math.max(failed, 1);
    if (total.failed > 0) {
      console.log(`\nStopped at: ${step.name} (npm test -- --only ${step.name})`);
      break;
    }
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

function select(argv) {
  const at = argv.indexOf('--only');
  if (at < 0) return steps;
  const names = (argv[at + 1] ?? '').split(',');
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length === 0) return steps.filter(({ name }) => names.includes(name));
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${steps.map(({ name }) => name).join(', ')}`);
  return undefined;
}

/** Before anything runs, so that a missing Debian package stops the run at its beginning. */
async function prepareHost() {
  const { describeHost, findHost } = await import('../test/support/host.ts');
  const { MachineError } = await import('../test/support/machine.ts');
  try {
    console.log(`Tests run in ${await describeHost(await findHost())}`);
    return true;
  } catch (error) {
    console.error(error instanceof MachineError ? error.message : error);
    return false;
  }
}

/** Runs one step with its output shown as it comes, and counts what mocha reports in it. */
async function runStep({ script }) {
  const { command, args, options } = npmCommand(['run', '--silent', script]);
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(command, args, {
    ...options,
    cwd: root,
    env: { ...process.env, ...color },
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  const counts = { passing: 0, failing: 0 };
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line);
    const [, count, what] = /^ {2}(\d+) (passing|failing)\b/.exec(withoutColor(line)) ?? [];
    if (what) counts[what] += Number(count);
  });
  const [code] = await Promise.all([
    new Promise((resolve, reject) => child.once('error', reject).once('close', (status) => resolve(status ?? 1))),
    new Promise((resolve) => lines.once('close', resolve)),
  ]);
  return { code, passed: counts.passing, failed: counts.failing };
}

function withoutColor(line) {
  return line.replace(/\x1b\[[0-9;]*m/g, '');
}
