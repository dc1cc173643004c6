/** The OpenAPI document and the client: made from the schemas that check requests, and complete. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { clientTypes } from '../../scripts/generate/clientTypes.ts';
import { apiRoutes } from '../../src/serve/api/api.ts';
import { endpoints, eventsEndpoint } from '../../src/serve/api/endpoints.ts';
import { openApiDocument } from '../../src/serve/api/openapi.ts';
import { root } from '../support/host.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';

const file = path.join(root, 'schemas', 'openapi.json');
const outputs = JSON.parse(readFileSync(path.join(root, 'schemas', 'outputs.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

describe('the OpenAPI document', () => {
  after(removeSandboxes);

  it('matches the schemas: run "npm run generate" when this fails', () => {
    const made = openApiDocument(outputs.$defs);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(JSON.stringify(made)));
  });

  it('gives the client its types', async () => {
    const types = path.join(root, 'client', 'types.ts');
    const made = clientTypes(openApiDocument(outputs.$defs));
    const style = await resolveConfig(path.join(root, 'package.json'));
    assert.equal(readFileSync(types, 'utf8'), await format(made, { ...style, parser: 'typescript' }));
  });

  it('has every route of the server', () => {
    const workspace = makeSandbox().open();
    const { routes } = apiRoutes({
      ...{ workspace, document: file },
      ...{ origin: () => 'http://localhost:4764', clock: () => 0, behindProxy: false },
    });
    const served = routes.filter(({ method }) => method !== 'ALL').map(({ method, path: at }) => `${method} ${at}`);
    const described = endpoints.map((one) => `${one.method.toUpperCase()} ${one.path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    const others = ['GET /openapi.json', `GET ${eventsEndpoint.path}`];
    assert.deepEqual([...new Set(served)].sort(), [...described, ...others].sort());
  });

  it('refers to nothing that it does not define', () => {
    const text = readFileSync(file, 'utf8');
    const { components } = JSON.parse(text) as { components: { schemas: object } };
    for (const [, name = ''] of text.matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g))
      assert.ok(Object.hasOwn(components.schemas, name), name);
    assert.doesNotMatch(text, /\$defs/);
  });
});
