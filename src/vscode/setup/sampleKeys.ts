/**
 * Signs decisions about the sample question with a separate key, in memory: trying the sample creates no key in
 * SecretStorage and trusts none on this machine.
 */
import type { Workspace } from '../../app/workspace/workspace.ts';
import { openKeys } from '../kit/signer.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import { isSample } from './sampleWorkspace.ts';

export function withSampleKeys(own: Keys): Keys {
  const secrets = new Map<string, string>();
  const sample = openKeys({
    get: (name) => Promise.resolve(secrets.get(name)),
    store(name, value) {
      secrets.set(name, value);
      return Promise.resolve();
    },
  });
  const of = (workspace: Workspace) => (isSample(workspace) ? sample : own);
  return {
    own: own.own,
    make: own.make,
    standing: (workspace) => of(workspace).standing(workspace),
    enrol: (workspace, name) => of(workspace).enrol(workspace, name),
    enrolBeside: (scope, name, others) => of(scope.workspaces[0]).enrolBeside(scope, name, others),
    rotate: (scope) => of(scope.workspaces[0]).rotate(scope),
    signer: (workspace) => of(workspace).signer(workspace),
    strangers: (workspace) => of(workspace).strangers(workspace),
    know: (workspace, keyid) => of(workspace).know(workspace, keyid),
  };
}
