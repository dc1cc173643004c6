/**
 * Programs that check or build a project without changing the files they are given. They run code of the project, so
 * they do not count as reading; with other options they may change files, and count as any other program.
 */
import { operandsOf, options } from './options.ts';
import type { Options } from './options.ts';
import { isKnown } from './word.ts';
import type { Word } from './word.ts';

const tests =
  'bail verbose silent watch run runInBand reporter= reporters= grep= testNamePattern= testPathPattern= timeout= parallel jobs= maxWorkers= require= project= config= coverage no-coverage ci passWithNoTests exit full-trace retries= workers= headed debug ui related changed filter= pool= environment= spec= fgrep= forbid-only recursive no-cache color no-color colors colour';
const listed: Readonly<Record<string, string>> = {
  eslint:
    '|fc|ext= max-warnings= quiet format= no-error-on-unmatched-pattern config= no-cache cache print-config= stats no-inline-config report-unused-disable-directives color no-color no-warn-ignored debug rule= ignore-pattern= no-ignore concurrency=|',
  prettier:
    'clu||check list-different log-level= loglevel= config= ignore-path= no-config ignore-unknown plugin= no-error-on-unmatched-pattern no-color parser= stdin-filepath= tab-width= print-width= single-quote no-semi|',
  code: 'rng||goto reuse-window new-window wait|',
  // Pagers that open files; a `+` starts a command of less.
  less: 'NRSFXiInMmqQsEeGJwaf|xz|LINE-NUMBERS RAW-CONTROL-CHARS chop-long-lines quit-if-one-screen no-init ignore-case IGNORE-CASE|',
  more: 'dflpcus|n|',
  ...Object.fromEntries(
    ['bat', 'batcat'].map((name) => [
      name,
      'pnA|lrH|plain number show-all language= line-range= highlight-line= style= color= paging= theme= wrap= decorations= tabs=|',
    ]),
  ),
  tsc: 'p|p|noEmit project= pretty skipLibCheck strict watch extendedDiagnostics listFiles showConfig jsx= target= module= moduleResolution= lib= allowJs checkJs esModuleInterop|required=--noEmit,--showConfig',
  'vue-tsc': '|p|noEmit project= pretty|required=--noEmit',
  ...Object.fromEntries(
    ['kill', 'pkill', 'killall'].map((name) => [
      name,
      '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZflnxovaeqr|sug|signal= full exact list oldest newest any|any',
    ]),
  ),
  jest: `it|tc|${tests}`,
  vitest: `|tc|${tests}`,
  mocha: `bwR|grt|${tests}`,
  ava: `v|m|${tests}`,
  playwright: `|gc|${tests}`,
  pytest:
    'vxqslh|kmnprWc|verbose quiet exitfirst maxfail= tb= durations= collect-only cov cov-report no-header no-summary lf ff last-failed failed-first co strict-markers numprocesses= capture= rootdir= color=|',
  mypy: 'pv|pm|strict ignore-missing-imports config-file= show-error-codes pretty python-version= follow-imports= namespace-packages explicit-package-bases|',
  pyright: '|p|project= outputjson stats verbose|',
  flake8: '|j|max-line-length= ignore= select= extend-ignore= exclude= count statistics config= show-source|',
  pylint: '|j|disable= enable= rcfile= score= output-format= jobs= errors-only|',
  black: '|l|check diff line-length= quiet color|required=--check,--diff',
  isort: '|l|check-only check diff profile= quiet|required=--check-only,--check,--diff',
  stylelint: '|f|formatter= config= quiet ignore-path= allow-empty-input|',
  markdownlint: '|c|config= ignore=|',
  oxlint: '|cDAW|config= quiet deny= allow= warn= format= max-warnings= type-aware|',
  biome: '||reporter= max-diagnostics= diagnostic-level= config-path= verbose|',
  knip: '|c|production strict config= include= exclude= reporter= no-progress|',
  depcruise: '|cvT|config= output-type= progress no-config|',
  shellcheck: 'ax|sefS|severity= shell= exclude= format= external-sources color|',
  hadolint: '|||',
  actionlint: '|||',
  yamllint: 's|cdf|strict config-file= format=|',
  gofmt: 'lde|||',
  goimports: 'lde|||',
  madge: 'c||circular summary orphans leaves json extensions= ts-config= no-color|',
  rubocop: '|cf|config= format= only= parallel|',
};

/** With a git address, or dependencies that have one, these run git, or a program that a file of the project names. */
const fetchingVerbs = 'view,info,show,outdated,fund';
const listingVerbs = 'ls,list,ll,why,explain,root,prefix,bin,whoami,ping,search,config get,config list,pkg get';

function packageLists(managers: readonly string[], verbs: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    managers.flatMap((name) =>
      verbs
        .split(',')
        .map((verb) => [
          `${name} ${verb}`,
          'galp|w|depth= all json long parseable prod production dev omit= include= global workspace= workspaces registry= silent|',
        ]),
    ),
  );
}

const dockerBuild =
  'q|tf|tag= file= build-arg= target= no-cache pull platform= progress= label= network= secret= ssh= cache-from= load push quiet|';

/** Programs whose first words select what they do. */
const parts: Readonly<Record<string, string>> = {
  // Files of the project name programs that these run first: .pnpmfile.cjs, .yarnrc.yml.
  ...packageLists(['pnpm', 'yarn'], `${listingVerbs},${fetchingVerbs}`),
  ...packageLists(['npm'], fetchingVerbs),
  ...Object.fromEntries(
    ['pnpm', 'yarn', 'cargo', 'rustc'].flatMap((name) =>
      ['-v', '-V', '--version'].map((flag) => [`${name} ${flag}`, '|||']),
    ),
  ),
  'ruff check': '|||select= ignore= config= output-format= no-fix quiet statistics show-fixes|',
  'ruff format': '||check diff config= quiet|required=--check,--diff',
  'biome check': listed['biome'] ?? '',
  'biome lint': listed['biome'] ?? '',
  'biome ci': listed['biome'] ?? '',
  'playwright test': listed['playwright'] ?? '',
  'vitest run': listed['vitest'] ?? '',
  'docker build': dockerBuild,
  'docker buildx build': dockerBuild,
  'go vet': 'v||v|',
  'go test': 'v||v race short run= count= timeout= cover json failfast|',
  'cargo fmt': '|p|check all package= quiet|required=--check',
  'cargo tree': 'id|p|depth= invert= package=|',
  'pip install':
    'qUer|r|quiet upgrade editable requirement= no-deps user no-cache-dir pre force-reinstall no-build-isolation|',
  'pip3 install':
    'qUer|r|quiet upgrade editable requirement= no-deps user no-cache-dir pre force-reinstall no-build-isolation|',
  'uv pip install': 'qUer|r|quiet upgrade editable requirement= no-deps|',
  'cargo check': 'qvp|pF|workspace all-targets all-features release quiet verbose package= features= tests|',
  'cargo clippy': 'qvp|pF|workspace all-targets all-features release quiet package= features=|',
  'cargo test':
    'qv|pF|workspace all-targets all-features release quiet package= features= lib bins test= doc no-run nocapture|',
};

/** They only show what other programs or servers have: no code of the project runs, and no file is written. */
const shows: Readonly<Record<string, string>> = {
  'docker ps': 'aqnls|fn|all quiet format= filter= no-trunc latest last= size|',
  'docker images': 'aq|f|all quiet format= filter= no-trunc digests|',
  'docker logs': 'ft|n|follow timestamps tail= since= until= details|',
  'docker inspect': 's|f|format= type= size|',
  'docker version': '|f|format=|',
  'docker info': '|f|format=|',
  'docker top': '|||',
  'docker port': '|||',
  'docker stats': 'a||all no-stream format= no-trunc|',
  'docker history': 'Hq||no-trunc quiet format= human|',
  'docker compose ps': 'aq||all quiet format= services status= filter=|',
  'docker compose logs': 'ft|n|follow timestamps tail= since= until= no-color no-log-prefix|',
  'docker compose ls': 'aq||all quiet format= filter=|',
  'docker network ls': 'q|f|quiet format= filter= no-trunc|',
  'docker volume ls': 'q|f|quiet format= filter=|',
  'docker container ls': 'aqnls|fn|all quiet format= filter= no-trunc|',
  'docker image ls': 'aq|f|all quiet format= filter= no-trunc|',
  ...Object.fromEntries(
    'pr view,pr list,pr status,pr checks,pr diff,issue view,issue list,issue status,run list,run view,repo view,repo list,release view,release list,auth status,search code,search issues,search prs,search repos,label list,workflow list,workflow view'
      .split(',')
      .map((name) => [
        `gh ${name}`,
        'c|RLsAlSjqtbHBaO|json= jq= template= repo= limit= state= author= label= search= comments log log-failed job= branch= patch name-only color= watch required exit-status head= base= assignee= owner= workflow= status= event= user= verbose attempt= yaml ref=|',
      ]),
  ),
  ...packageLists(['npm'], listingVerbs),
  'kubectl get':
    'wAR|nolf|namespace= output= selector= all-namespaces watch show-labels context= sort-by= field-selector= filename=|',
  'kubectl describe': 'A|nlf|namespace= selector= all-namespaces context=|',
  'kubectl logs':
    'fp|ncl|namespace= container= tail= since= follow previous timestamps context= selector= all-containers|',
  'go version': '|||',
  'go env': '|||json',
  'go list': 'mef||json|',
  'pip list': '||outdated format=|',
  'pip show': 'f||files|',
  'pip3 list': '||outdated format=|',
};

const made = new Map<string, Options>();

function lookUp(table: Readonly<Record<string, string>>, name: string): Options | undefined {
  const line = Object.hasOwn(table, name) ? table[name] : undefined;
  if (line === undefined) return undefined;
  const known = made.get(line) ?? options(line);
  made.set(line, known);
  return known;
}

function matches(table: Readonly<Record<string, string>>, program: string, args: readonly Word[]): boolean {
  for (let count = 2; count >= 0; count--) {
    const head = args.slice(0, count);
    if (head.length < count || head.some(({ glob, unknown }) => glob || unknown !== undefined)) continue;
    const found = lookUp(table, [program, ...head.map(({ text }) => text)].join(' '));
    if (found) return operandsOf(args.slice(count), found) !== null;
  }
  return false;
}

/** Long options of some programs have one dash: `go test -run X`. */
function withTwoDashes(program: string, args: readonly Word[]): readonly Word[] {
  if (program !== 'go') return args;
  return args.map((word) => (/^-\w{2,}/.test(word.text) ? { ...word, text: `-${word.text}` } : word));
}

const viewing = options('l||json long registry= silent|');

/** `npm view` of a package of the registry, by its plain name. */
function viewsPackage(program: string, [verb, ...rest]: readonly Word[]): boolean {
  if (program !== 'npm' || verb === undefined || !/^(?:view|info|show)$/.test(verb.text)) return false;
  const [name] = operandsOf(rest, viewing) ?? [];
  return (
    name !== undefined &&
    isKnown(name) &&
    /^(?:@\w[\w.-]*\/)?\w[\w.-]*(?:@[\w.^~<>=*+-]+)?$/.test(name.text) &&
    !/\.(?:tgz|tar|tar\.gz)$/i.test(name.text)
  );
}

export function onlyShows(program: string, args: readonly Word[]): boolean {
  if (viewsPackage(program, args)) return true;
  return matches(shows, program, withTwoDashes(program, args));
}

export function onlyChecks(program: string, args: readonly Word[]): boolean {
  if (/^(?:less|more)$/.test(program) && args.some(({ text }) => /^\+(?!\d*[gGF]?$|\/[^\n\r]*$)/.test(text)))
    return false;
  if (program === 'biome') return matches(parts, program, args);
  const given = withTwoDashes(program, args);
  return matches(parts, program, given) || matches(listed, program, given);
}
