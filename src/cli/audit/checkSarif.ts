/**
 * The report of `holdpoint check` as SARIF 2.1.0, for annotations. Results are what keeps the change from being clear.
 * Messages are plain text without anything that a viewer turns into a link,
 * a mention or HTML.
 */
import type { CheckProblem, CheckReport } from '../../app/audit/checkReport.ts';
import { sha256 } from '../../trust/canonical.ts';
import { oneLine, shownAtMost } from './checkText.ts';

const rules = {
  undecided: 'A human has not decided',
  refused: 'A human refused',
  not_approved: 'A human closed it without an approval',
  unverifiable: 'A decision does not verify',
  unknown: 'There is no such question or RFC',
  unknown_state: 'The state is UNKNOWN',
} as const;
type Rule = keyof typeof rules;

export function checkSarif(report: CheckReport, version: string): object {
  const { base, head, merge_bases, state, source, problems } = report;
  const ids = Object.keys(rules) as Rule[];
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Holdpoint',
            version,
            rules: ids.map((id) => ({ id, shortDescription: { text: rules[id] } })),
          },
        },
        automationDetails: { id: `holdpoint-check/${head}` },
        invocations: [{ executionSuccessful: state !== 'UNKNOWN', exitCode: problems.length === 0 ? 0 : 2 }],
        originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the repository.' } } },
        columnKind: 'utf16CodeUnits',
        properties: { base, head, mergeBases: merge_bases, state, source },
        results: problems.flatMap((problem) => resultsOf(problem, ids, report)),
      },
    ],
  };
}

/** One for each file, because viewers show the first location only. */
function resultsOf({ code: rule, id, text, files }: CheckProblem, ids: readonly Rule[], report: CheckReport): object[] {
  const [first] = report.files;
  // What belongs to no file is shown at the first changed one: viewers refuse results without a place.
  const places = files.length > 0 ? files.slice(0, shownAtMost) : first ? [first.path] : [];
  const shared = { ruleId: rule, ruleIndex: ids.indexOf(rule), level: 'error', message: { text: plainMessage(text) } };
  const result = (path: string | null) => ({
    ...shared,
    ...(path === null ? {} : { locations: [locationOf(path)] }),
    partialFingerprints: { 'holdpoint/v1': sha256(JSON.stringify([rule, id, path ?? '', text])) },
  });
  return places.length === 0 ? [result(null)] : places.map(result);
}

function locationOf(path: string): object {
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(path), uriBaseId: 'SRCROOT' }, region: { startLine: 1 } },
  };
}

function uriOf(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, percent))
    .join('/');
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

const lengthAtMost = 1_000;

/**
 * Plain text for any viewer: SARIF reads `[…](…)` and `{0}` in messages, and viewers make links of addresses and
 * mentions of names.
 */
export function plainMessage(text: string): string {
  const line = oneLine(text);
  const cut = line.length > lengthAtMost ? `${oneLine(line.slice(0, lengthAtMost))}…` : line;
  return cut
    .replace(/[[\]{}<>\\`|*_~&#]/g, (sign) => substitutes[sign] ?? ' ')
    .replace(/@(?=\S)/g, '@ ')
    .replace(/:(?=\/\/)/g, ': ')
    .replace(/\bwww\.(?=\S)/gi, 'www. ')
    .replace(/\b(mailto|xmpp|javascript|data|vscode|command):(?=\S)/gi, '$1: ');
}

/** The brackets that ordinary text has, in a form without meaning; the rest is a blank. */
const substitutes: Readonly<Record<string, string>> = {
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '<': '‹',
  '>': '›',
  '`': "'",
  _: '_',
};
