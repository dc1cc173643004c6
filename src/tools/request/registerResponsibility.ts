import * as z from 'zod';
import { registerResponsibility as register } from '../../app/request/requests.ts';
import { registrableKind } from '../../core/records/requestWords.ts';
import { agentId } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import { titleField } from '../kit/fields.ts';
import { changedText } from '../kit/texts.ts';
import { responsibilityField } from './fields.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';

export const registerResponsibility = defineOperation({
  name: 'register_responsibility',
  readOnly: false,
  input: z.strictObject({
    id: responsibilityField,
    kind: registrableKind
      .default('agent')
      .describe('agent: a model considers each request. automation: a program handles them.'),
    name: titleField,
    agents: z
      .array(agentId)
      .max(limits.listItems)
      .default([])
      .describe(
        'Other agents that also act for it. For a responsibility that exists and that you act for: the agents to add.',
      ),
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const { responsibility, already, changed, kept } = await register(await workspace.store(), session, input);
    const { id, kind, name, agents } = responsibility;
    const what = already ? changedText(changed) : 'Registered.';
    const stays = kept.length === 0 ? '' : ` The ${kept.join(' and ')} stays: only a human can change it.`;
    return {
      status: 'ok',
      text: `${what}${stays} ${id} (${kind}, "${name}"): ${agents.join(', ')} act${agents.length === 1 ? 's' : ''} for it. ${guideOf(context).name('list_requests')} shows its requests.`,
      data: { already, changed, kept, responsibility },
    };
  },
});
