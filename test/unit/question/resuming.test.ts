/** The command that goes on with a session: what agents control stays one argument, and never an option. */
import assert from 'node:assert/strict';
import { isSessionOf, resumeCommand } from '../../../src/core/question/parking.ts';
import { resumableHost } from '../../../src/core/records/policy.ts';

const uuid = '01a20808-6727-7693-90e8-7ec64c64e265';
const sessions = {
  'claude-code': uuid,
  codex: uuid,
  'copilot-cli': uuid,
  opencode: 'ses_df7f5f854ffeaJRKSxqK8c3Por',
} as const;

describe('the command that resumes a session', () => {
  it('is the host’s own program with its session and a prompt', () => {
    const commands = resumableHost.options.map((host) => resumeCommand(host, sessions[host], 'Go on.'));
    assert.deepEqual(commands, [
      { program: 'claude', args: [`--resume=${uuid}`, '--', 'Go on.'] },
      { program: 'codex', args: ['resume', '--', uuid, 'Go on.'] },
      { program: 'copilot', args: [`--resume=${uuid}`, '--interactive=Go on.'] },
      { program: 'opencode', args: ['run', '--interactive', `--session=${sessions.opencode}`, '--', 'Go on.'] },
    ]);
  });

  it('does not exist for an id of another form', () => {
    const hostile = ['', '-c', '--dangerously-skip-permissions', '../x', `${uuid} --yolo`, `${uuid}\n`, `-${uuid}`];
    for (const host of resumableHost.options)
      for (const id of [...hostile, uuid.toUpperCase(), 'ses_', 'ses_a b c d e f g h', '$(id)', 'last', `x${uuid}`])
        assert.equal(resumeCommand(host, id, 'x'), null, `${host} ${id}`);
    assert.equal(isSessionOf('opencode', uuid), false);
    assert.equal(isSessionOf('codex', sessions.opencode), false);
  });

  it('keeps a prompt in one argument after all options, without control characters', () => {
    for (const host of resumableHost.options) {
      const { args } = resumeCommand(host, sessions[host], '--help\u001b]0;x\u0007\r\nsecond line')!;
      const last = args.at(-1) ?? '';
      assert.match(last, /^(?:--interactive=)?--help \]0;x  \nsecond line$/);
      assert.equal(args.filter((one) => one.includes('--help')).length, 1);
      assert.ok(last.startsWith('--interactive=') || args.at(-2) === '--' || args.at(-3) === '--');
    }
  });
});
