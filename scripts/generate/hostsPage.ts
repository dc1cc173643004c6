/** The tables of hosts in docs/hosts.md and the README, from the hosts' own objects. Written by `npm run generate`. */
import { hosts } from '../../src/hosts/hosts.ts';
import type { HostLevel } from '../../src/hosts/host.ts';

type Row = Omit<HostLevel, 'name' | 'level' | 'testedWith' | 'tests'> & {
  readonly name: string;
  readonly level: HostLevel['level'] | 'not covered';
  readonly testedWith?: string;
  readonly tests?: string;
};

const order = ['enforced', 'advisory', 'not proven', 'not covered'] as const;
const others: readonly Row[] = [
  {
    name: 'git',
    level: 'advisory',
    stopped: 'commits of held files, and messages with undecided items',
    open: '`git commit --no-verify`, `git revert`, fast-forwards ([Commits](stopped.md#commits))',
    testedWith: 'real commits',
    tests: 'contract/setupCommand',
  },
  {
    name: 'any host with a command before a tool',
    level: 'advisory',
    stopped: 'the calls that you describe ([below](#any-other-host))',
    open: "an agent can edit the host's configuration, which is not checked",
  },
  {
    name: 'any other agent, MCP client, script',
    level: 'not covered',
    stopped: 'it can ask and wait',
    open: 'everything, until the commit reaches CI',
  },
];

const rows: readonly Row[] = order.flatMap((level) =>
  [
    ...Object.values(hosts).flatMap(({ title, levels }) => levels.map((one): Row => ({ name: title, ...one }))),
    ...others,
  ].filter((row) => row.level === level),
);

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const plugin = { enforces: 'skill, tools, hooks', 'skill only': 'skill only, no hook: stops nothing' };

const tables: Readonly<Record<string, () => string>> = {
  levels: () =>
    table(
      ['host', 'level', 'stopped', 'not stopped', '[plugin](#plugins)'],
      rows.map((row) => [row.name, row.level, row.stopped, row.open, row.plugin ? plugin[row.plugin] : '']),
    ),
  tests: () =>
    table(
      ['host', 'tested with', 'in the repository'],
      rows.flatMap(({ name, testedWith, tests }) =>
        testedWith === undefined || tests === undefined
          ? []
          : [
              [
                name,
                testedWith,
                tests
                  .split(' ')
                  .map((file) => `\`test/${file}.test.ts\``)
                  .join(', '),
              ],
            ],
      ),
    ),
  summary: () =>
    table(
      ['level', 'hosts'],
      order.map((level) => [
        level,
        rows
          .filter((row) => row.level === level)
          .map(({ name }) => name)
          .join(', '),
      ]),
    ),
};

/** A page with its tables between `<!-- hosts: NAME -->` and `<!-- /hosts -->` written anew. */
export function withHostTables(page: string): string {
  return page.replaceAll(
    /(<!-- hosts: (\w+) -->\n\n)[^]*?(\n\n<!-- \/hosts -->)/g,
    (_whole, start: string, name: string, end: string) => `${start}${tables[name]?.() ?? ''}${end}`,
  );
}
