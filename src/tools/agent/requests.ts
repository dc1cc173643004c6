import * as z from 'zod';
import { createRequest } from '../request/createRequest.ts';
import { registerResponsibility } from '../request/registerResponsibility.ts';
import { respondToRequest } from '../request/respondToRequest.ts';
import { fieldsOf } from './tool.ts';
import type { AgentTool } from './tool.ts';

export const responsibility: AgentTool = {
  name: 'holdpoint_register_responsibility',
  title: 'Register a responsibility',
  description:
    'Register what you are responsible for here, once, so that others can send you requests and you can send requests. You act for it from then on.',
  readOnly: false,
  shown: 'requests',
  input: registerResponsibility.input,
  operations: [registerResponsibility],
};

export const request: AgentTool = {
  name: 'holdpoint_create_request',
  title: 'Ask another responsibility',
  description:
    'Ask another responsibility to consider something; it accepts, defers or rejects. A request gives no authority and holds no work.',
  readOnly: false,
  shown: 'requests',
  input: z.object(
    fieldsOf(
      createRequest,
      ...['type', 'origin', 'target', 'subject', 'summary', 'suggested_actions', 'links', 'tags', 'bundle_ids'],
      ...['objectives', 'suggested_responsibilities', 'ingest_request_id', 'body_md_path', 'priority', 'available_at'],
      ...['due_at', 'sla_response_seconds', 'sla_completion_seconds'],
    ),
  ),
  operations: [createRequest],
};

export const respond: AgentTool = {
  name: 'holdpoint_respond_to_request',
  title: 'Respond to a request',
  description:
    'Accept, defer, reject or complete a request to a responsibility you act for, or cancel one of yours. "conflict" means that another agent was first.',
  readOnly: false,
  shown: 'requests',
  input: respondToRequest.input,
  operations: [respondToRequest],
};
