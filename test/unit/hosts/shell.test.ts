import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Io } from '../../../src/cli/kit/io.ts';
import { main } from '../../../src/cli/program.ts';
import { classify } from '../../../src/hosts/shell/classify.ts';
import { verbNames } from '../../../src/hosts/shell/reading.ts';
import { runs } from '../../support/runs.ts';

it('hooks let held agents run only verbs that there are', async () => {
  const printed: string[] = [];
  await main(['--help'], { out: (text: string) => printed.push(text) } as unknown as Io, '0');
  const verbs = [...printed.join('\n').matchAll(/^ {2}([a-z]+) /gm)].map(([, verb]) => verb);
  assert.ok(verbs.length > 25);
  assert.deepEqual(
    verbNames.filter((name) => !verbs.includes(name)),
    [],
  );
});

describe('a terminal command', () => {
  it('may change any file if its input can be typed later and it runs what it reads', () => {
    const may = (command: string) => classify(command, 'posix', { isTyped: true }).opaque !== null;
    for (const command of [
      ...['bash', 'sh -i', 'bash --rcfile x', 'bash -i build.sh', 'env bash', 'sudo bash', 'sudo -s', 'su', 'script'],
      ...['ls; bash', '(bash)', '{ bash; }', 'if true; then sh; fi', 'bash -c bash', 'x=$(bash)', 'bash &'],
      ...['python3', 'python3 -i', 'python3 -i x.py', 'node', 'psql', 'vim a.txt', 'patch', 'apply_patch'],
    ])
      assert.equal(may(command), true, command);
    for (const command of [
      ...['bash build.sh', 'bash -l build.sh', "bash -c 'ls'", 'python3 x.py', 'npm test', './tidy.sh', 'cat'],
      ...['sed -i s/a/b/ a.txt', 'echo x >> a.txt', 'bash <<X\nls\nX', 'python3 - <<X\nprint(1)\nX'],
    ])
      assert.equal(may(command), false, command);
    assert.equal(classify('bash', 'posix').opaque, null, 'its input is empty elsewhere');
  });

  describe('counts as read-only', () => {
    for (const command of [
      ...['ls -la', '/usr/bin/ls src', "grep -rn 'a|b' src | head -20", 'grep "foo$" a.txt && wc -l a.txt'],
      ...['cat a.txt 2>/dev/null; echo done', 'cat a.txt 2>&1 | sort -u', 'cat < a.txt', 'ls \\\n  -la'],
      ...['cd src && git status', 'ls $FLAGS', 'ls # comment', 'git -C src log --oneline -5'],
      ...['git --no-pager diff HEAD~1 -- src/a.js', 'git branch --show-current', 'git stash list'],
      ...['find . -name "*.ts" -not -path "./node_modules/*"', "sed -n '10,20p' src/a.js", 'rg -n "class .*" src'],
      ...['node --version', 'test -f package.json && echo yes', 'holdpoint gate --work t-1'],
      ...['holdpoint --workspace /home/dev/shop question create --text "May I?"'],
      ...['holdpoint briefing; holdpoint search "auth"', 'holdpoint audit --json --hold Q-1'],
      ...['holdpoint history; holdpoint keys', 'holdpoint export --format json'],
      ...['holdpoint inbox --json; holdpoint check --base main --json'],
    ])
      it(command, () => {
        assert.equal(classify(command, 'posix').readOnly, true);
      });
  });

  describe('counts as a change', () => {
    for (const command of [
      ...['', ' ', 'npm test', 'rm -rf src', 'ls; rm a', 'ls\nrm a', 'ls && rm a', 'ls || rm a', 'ls | tee a'],
      ...['ls & rm a', 'ls > a', 'ls >> a', 'ls >| a', 'ls &> a', 'ls 2> a', 'ls >& a', 'ls >&1=a', 'ls 2>&1,a'],
      ...['ls >&1"a"', 'ls >&1\\a', 'ls >&-a', 'ls >&1é', 'cat <<EOF > a\nEOF', 'echo $(rm a)', 'echo `rm a`'],
      ...['echo "$(rm a)"', 'echo "${x:=$(rm a)}"', 'cat <(rm a)', '(rm a)', '{ rm a; }', 'if true; then rm a; fi'],
      ...['! rm a', 'FOO=1 ls', './ls', 'bin/ls', 'command rm a', 'eval "rm a"', 'xargs rm', 'env rm a'],
      ...['sort -o a b', 'sort --output=a b', 'sort -uo a b', 'uniq a b', 'find . -delete', 'find . -exec rm {} +'],
      ...['find . -fprint a', 'sed -i s/a/b/ a.txt', "sed -n '1w out' a.txt", 'awk "{print > \\"a\\"}" b'],
      ...['tree -o a', 'git diff --output=a', 'git diff --outpu=a', 'git -c core.pager=rm log', 'git branch new'],
      ...['git tag v1', 'git config user.name me', 'git stash', 'git grep -Oless x', "test -v 'a[$(rm b)]'"],
      ...["printf -v 'a[$(rm b)]' x", 'rg --pre rm x', 'date -s 2020-01-01', 'holdpoint gate; rm a'],
      ...['holdpoint setup --remove', 'holdpoint mirror', 'pnpm ls', 'yarn --version', 'cargo tree'],
      ...['git remote show x', 'git submodule status', 'git lfs ls-files', 'curl -XDELETE localhost'],
      ...['holdpoint audit --export a.json', 'holdpoint audit --export=a.json', 'holdpoint audit --*'],
      ...['holdpoint export --format json --out a.json', 'holdpoint check --base main --markdown a.md'],
      ...['holdpoint check --base main --markdown=a.md', 'holdpoint team join shop', 'holdpoint unknown'],
      ...['holdpoint hook claude-code', 'holdpoint $(rm a)', '=rm a', '~/ls', 'sort *'],
    ])
      it(JSON.stringify(command), () => {
        assert.equal(classify(command, 'posix').readOnly, false);
      });
  });

  it('counts as read-only less often where quoting differs', () => {
    for (const command of [
      "echo 'a & del b'",
      'echo "a & del b"',
      'type a.txt ^& del b',
      'Remove-Item a',
      'gci | % { rm $_ }',
    ])
      assert.equal(classify(command, 'windows').readOnly, false, command);
    for (const command of ['Get-Content a.txt', 'git status', 'dir src', 'rg foo src\\lib'])
      assert.equal(classify(command, 'windows').readOnly, true, command);
  });

  it('is known by the plain name of its program too', () => {
    for (const command of [
      ...[
        '/opt/homebrew/bin/python3 -c "open(x, 1)"',
        '/usr/local/bin/node -e "f()"',
        './node_modules/.bin/tsx -e "f()"',
      ],
      ...['cmd.exe //c "cd src && del a.js"', '/mnt/c/Windows/System32/cmd.exe /c del', 'NODE -e "f()"', 'sudo BASH'],
      ...['ls | /opt/homebrew/bin/xargs rm', 'ls | XARGS rm', '/usr/local/bin/parallel rm'],
    ])
      assert.notEqual(classify(command, 'posix', { isTyped: true }).opaque, null, command);
    for (const command of ['/opt/homebrew/bin/git reset --hard', 'GIT reset --hard', 'git.exe stash', 'sudo GIT stash'])
      assert.equal(classify(command, 'posix').wholeTree, true, command);
    for (const command of [
      './test',
      'bin/install x',
      './patch',
      '/usr/local/bin/ls',
      'scripts/run.sh',
      './gradlew test',
    ])
      assert.deepEqual(
        [classify(command, 'posix').opaque, classify(command, 'posix').readOnly],
        [null, false],
        command,
      );
  });

  describe('of PowerShell or cmd', () => {
    /** The files that it may change; null if it may change any. */
    const named = (command: string, isInteractive = false) => {
      const { opaque, paths } = classify(command, 'windows', { isInteractive });
      return opaque === null
        ? paths.flatMap(({ path: name, bases }) => bases.map((base) => `${base ?? '?'}/${name}`))
        : null;
    };

    for (const command of [
      ...['cd..; del a.js', 'cd/d src && del a.js', 'cd\\src && del a.js', 'CD.\\src && del a.js', 'd: && del a.js'],
      ...['Set-Location src; del a.js', 'popd; del a.js', 'cd\u00a0src; del a.js'],
      ...['Get-ChildItem -Recurse -Filter a.js | Remove-Item', 'gci src |\nri', 'type names.txt | xargs del'],
      ...['gci src | Out-File -Encoding utf8', 'gci src | Set-Content -Value x'],
      ...['Remove-Item \u201csrc\\a.js\u201d', 'Remove-Item s\u2018r\u2019c\\a.js', 'Remove-Item \u2013Path a.js'],
      ...[
        'echo "x\u201d > src\\a.js',
        'powershell -EncodedCommand ZQBjAGgAbwA=',
        'pwsh.exe -File x.ps1',
        'cmd /c build',
      ],
      ...[
        'forfiles /s /m a.js /c "cmd /c del @path"',
        'iex "del (gci -r a.js)"',
        'start powershell -Command "del a.js"',
      ],
      ...['node -e "require(\'fs\')"', 'C:\\tools\\node.exe -e "require(\'fs\')"', 'python -c "open(x, 1)"'],
    ])
      it(`may change any file: ${command}`, () => {
        assert.equal(named(command), null);
      });

    for (const [command, file] of [
      ['del x;a.js', './a.js'],
      ['echo x>src\\a.js', './src\\a.js'],
      ['npm test | tee a.js', './a.js'],
      ['tar.exe -xf a.tar', './.'],
      ['Set-Content -Path:a.js x', './a.js'],
    ] as const)
      it(`changes ${file}: ${command}`, () => {
        assert.ok(named(command)?.includes(file), String(named(command)));
      });

    it('starts in an unknown folder where the terminal stays open', () => {
      assert.ok(named('del a.js', true)?.includes('?/a.js'));
    });

    for (const command of [
      ...['cd src; dir', 'git diff | Select-Object -First 5', 'Get-ChildItem | Sort-Object Name | Format-Table'],
      ...['type a.txt 2>$null', 'Get-Content a.txt 2> $null | Measure-Object -Line'],
    ])
      it(`only reads: ${command}`, () => {
        assert.equal(classify(command, 'windows').readOnly, true);
      });

    it('takes the settings of git into account', () => {
      assert.deepEqual(
        classify('git status', 'windows').configured.map(({ program }) => program),
        ['git'],
      );
    });

    it('counts as the worse of both shells where the host does not say which it is', () => {
      const names = classify('rm s\\rc/a.js', 'any').paths.map(({ path: name }) => name);
      for (const name of ['src/a.js', 's\\rc/a.js']) assert.ok(names.includes(name), name);
      assert.equal(classify('Get-Content src/a.js', 'any').readOnly, true);
      assert.notEqual(classify("rm 'a b'", 'any').opaque, null);
      assert.equal(classify('git status', 'any').readOnly, true);
    });
  });

  it('yields the files that it may change', () => {
    const named = (command: string) =>
      classify(command, 'posix').paths.flatMap(({ path: name, bases }) =>
        bases.map((base) => path.posix.join(base ?? '?', name)),
      );
    const cases: readonly [string, string][] = [
      ['cp a.js src/auth.js', 'src/auth.js'],
      ['echo x > src/auth.js', 'src/auth.js'],
      ['cd src && rm auth.js', 'src/auth.js'],
      ['cd src; cd lib; rm auth.js', 'src/lib/auth.js'],
      ['rm src/*.js', 'src'],
      ['rm *.js', '.'],
      ['gcc -osrc/auth.js x.c', 'src/auth.js'],
      ['tool --out=src/auth.js', 'src/auth.js'],
      ['tar -C src -xf a.tar auth.js', 'src/auth.js'],
      ['npm --prefix src run ./auth.js', 'src/auth.js'],
    ];
    for (const [command, file] of cases)
      assert.ok(named(command).includes(file), `${command}: ${named(command).join(' ')}`);
    assert.deepEqual(named('npm run test'), [], 'script names are not files');
  });

  it('may change the whole worktree through git', () => {
    for (const command of [
      'git reset --hard',
      'git checkout .',
      'git stash pop',
      'git pull',
      'git unknown-alias',
      'git -c a=b log',
    ])
      assert.equal(classify(command, 'posix').wholeTree, true, command);
    for (const command of ['git add .', 'git commit -m x', 'git push', 'git status'])
      assert.equal(classify(command, 'posix').wholeTree, false, command);
  });

  it('never makes the parser throw', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('posix' as const, 'windows' as const),
        (text, style) => {
          classify(text, style);
        },
      ),
    );
  });

  // Runs the commands that count as read-only in a real shell, in a folder of their own.
  it('that counts as read-only changes nothing in a real shell', function () {
    this.timeout(240_000);
    if (process.platform === 'win32') this.skip();
    const folder = mkdtempSync(path.join(os.tmpdir(), 'holdpoint-shell-'));
    const seen = () =>
      readdirSync(folder)
        .sort()
        .map((name) => `${name} ${readFileSync(path.join(folder, name), 'utf8')}`);
    try {
      writeFileSync(path.join(folder, 'a'), 'one\ntwo\n');
      writeFileSync(path.join(folder, 'b'), 'two\n');
      const before = seen();
      const piece = fc.constantFrom(
        ...'ls cat echo sort uniq grep find test printf head rm tee touch sed git a b -n -o -v -delete x * ? ; && || | & > >> < <( $( ) ` " \' \\ \n # { } ! = ~ , : + % ^ @ 1 é $x [ ] >&1 2>&- 2>&1 2> &> >| >& -exec {} + "$x" ${x:-y} $((1+1)) for i in 1 2 do done if then fi time [[ ]] {a,b} <<< x=1 x= awk xargs $(ls) while break case esac printf \\$x -- \'a\' "b" file tr cut date env command read set wc -exec -n1 {print} \'s/a/b/w\' p d 1 $1 $@ ~ a[1]'.split(
          ' ',
        ),
        '\n',
      );
      const command = fc
        .array(piece, { minLength: 1, maxLength: 8 })
        .chain((pieces) => fc.constantFrom(' ', '').map((gap) => pieces.join(gap)));
      let ran = 0;
      fc.assert(
        fc.property(command, (line) => {
          if (!classify(line, 'posix').readOnly) return;
          ran++;
          spawnSync('bash', ['-c', line], {
            cwd: folder,
            timeout: 2_000,
            input: '',
            env: { PATH: '/usr/bin:/bin', HOME: folder },
          });
          assert.deepEqual(seen(), before, line);
        }),
        { numRuns: runs(20_000) },
      );
      assert.ok(ran > runs(20), `${String(ran)} commands were run`);
      assert.ok(!existsSync(path.join(folder, 'x')));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
