/** Gives each test a page of its own, and checks at its end that there were no complaints. */
import assert from 'node:assert/strict';
import { startSurface, type Form, type Harness, type OpenOptions, type Surface } from './harness.ts';

/** The page of the running test. */
export interface Opened<Message, Sent> extends Form<Message, Sent> {
  /** Opens another one in the same browser. */
  another(options: OpenOptions): Promise<Form<Message, Sent>>;
}

/** Call this once in a `describe`: its tests share the browser, but no page. */
export function openForEach<Message extends { type: string }, Sent extends { view: { type: string } }>(
  surface: Surface<Message, Sent>,
  options: OpenOptions = {},
): Opened<Message, Sent> {
  let harness: Harness<Message, Sent>;
  const form = {} as Opened<Message, Sent>;
  before(async () => {
    harness = await startSurface(surface);
  });
  after(() => harness.close());
  beforeEach(async () => {
    Object.assign(form, await harness.open(options), { another: harness.open });
  });
  afterEach(async () => {
    await form.close();
    assert.deepEqual(form.complaints, []);
  });
  return form;
}
/** The only message posted since the page was opened, which has this type. */
export async function onlyPosted<Message extends { type: string }, Sent, Type extends Message['type']>(
  form: Form<Message, Sent>,
  type: Type,
): Promise<Extract<Message, { type: Type }>> {
  const posted = await form.posted();
  assert.deepEqual(
    posted.map((message) => message.type),
    [type],
  );
  return posted[0] as Extract<Message, { type: Type }>;
}
