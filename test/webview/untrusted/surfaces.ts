/**
 * Every webview with all its states. Add a new one here; a folder in webview/ without an entry fails the test.
 */
import {
  auditSurface,
  briefingSurface,
  dashboardSurface,
  questionSurface,
  rfcSurface,
  setupSurface,
  type Surface,
} from '../harness.ts';
import { states as audit } from '../audit/samples.ts';
import { states as briefing } from '../memory/samples.ts';
import { states as dashboard } from '../dashboard/samples.ts';
import { states as rfc } from '../rfc/samples.ts';
import { states as setup } from '../hosts/samples.ts';
import { states as question } from '../question/samples.ts';

/** Each has its own message and snapshot types, which do not matter here. */
type AnySurface = Surface<{ type: string }, { view: { type: string } }>;

const any = (surface: unknown): AnySurface => surface as AnySurface;

export interface Shown {
  readonly surface: AnySurface;
  /** What the host might send, by name. */
  readonly states: Readonly<Record<string, () => { view: { type: string } }>>;
  readonly width: number;
}

export const shown: readonly Shown[] = [
  { surface: any(questionSurface), states: question, width: 340 },
  { surface: any(rfcSurface), states: rfc, width: 1_280 },
  { surface: any(briefingSurface), states: briefing, width: 340 },
  { surface: any(dashboardSurface), states: dashboard, width: 1_280 },
  { surface: any(auditSurface), states: audit, width: 1_280 },
  { surface: any(setupSurface), states: setup, width: 1_280 },
];
