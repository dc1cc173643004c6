import * as z from 'zod';
import { searchEvents } from '../memory/searchEvents.ts';
import { listQuestions } from '../question/listQuestions.ts';
import { listRequests } from '../request/listRequests.ts';
import { getRfc } from '../rfc/getRfc.ts';
import { listRfcs } from '../rfc/listRfcs.ts';
import { listWork } from '../work/listWork.ts';
import { errorResult } from '../kit/operation.ts';
import type { Operation } from '../kit/operation.ts';
import { field, fieldsOf } from './tool.ts';
import type { AgentTool } from './tool.ts';

const lists = { questions: listQuestions, rfcs: listRfcs, requests: listRequests, work: listWork };

const byId: readonly (readonly [RegExp, Operation])[] = [
  [/^Q-\d/, listQuestions],
  [/^RFC-\d/, getRfc],
  [/^R-\d/, listRequests],
  [/^E-\d/, searchEvents],
];

export const list: AgentTool = {
  name: 'holdpoint_list_items',
  title: 'List items, or read one',
  description:
    'List questions, RFCs, requests or work, or read one item in full by its id. Read an RFC before you build it.',
  readOnly: true,
  shown: 'used',
  input: z.object({
    what: z.enum(['questions', 'rfcs', 'requests', 'work']).optional().describe('Default: questions.'),
    id: z.string().optional().describe('"Q-12", "RFC-3", "R-7", a note "E-140", or work.'),
    all: z.boolean().optional().describe('Also what is finished or decided; of requests, also those of others.'),
    status: z.string().optional(),
    ...fieldsOf(listRfcs, 'work_id'),
    box: field(listRequests, 'box').optional().describe('Of requests. Default: inbox.'),
    ...fieldsOf(listRfcs, 'skip', 'limit'),
  }),
  isWhole: ({ id, limit }) => id !== undefined || limit !== undefined,
  operations: [listQuestions, listRfcs, getRfc, listRequests, listWork, searchEvents],
  async run(call, { what = 'questions', all, ...given }) {
    if (!Object.hasOwn(lists, String(what)))
      return errorResult('bad_input', 'Nothing was done. what must be questions, rfcs, requests or work.');
    const { id } = given;
    const [, operation = listWork] = what === 'work' ? [] : (byId.find(([pattern]) => pattern.test(String(id))) ?? []);
    if (id !== undefined) return call(operation, given);
    switch (what as keyof typeof lists) {
      case 'questions':
        return call(listQuestions, { ...given, all });
      case 'rfcs':
        return call(listRfcs, { ...given, waiting: all !== true && given['status'] === undefined });
      case 'requests':
        return call(listRequests, { ...given, box: given['box'] ?? (all === true ? 'all' : undefined) });
      case 'work':
        return call(listWork, given);
    }
  },
};
