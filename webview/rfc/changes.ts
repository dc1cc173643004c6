/** Held files that have changed, below the header of a review. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { refusal, waiting } from '../shared/deciding.ts';
import { nameField } from '../shared/fields.ts';
import { heldChanges } from '../shared/heldChanges.ts';
import type { Page } from './page.ts';
import { changesPlace } from './places.ts';

export function changes(page: Page, view: RfcView): TemplateResult | typeof nothing {
  const at = page.at(changesPlace);
  const busy = at.flight() !== undefined;
  const asksName = view.answersAs.editable && view.changes?.here === true;
  const more = html`${asksName ? nameField(at, view.answersAs, busy) : nothing} ${refusal(at)}
  ${busy ? waiting(at) : nothing}`;
  return heldChanges(page, view, more);
}
