/** Passkeys in the Keys form: the rows, and the acts on one of them. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { takeOut } from '../../app/keys/acts.ts';
import type { KeyScope } from '../../app/keys/acts.ts';
import { isPasskey } from '../../app/decision/passkey.ts';
import {
  confirmPasskey,
  confirmProblem,
  giveUpPasskey,
  lastSigned,
  listedPasskeys,
  renamePasskey,
} from '../../app/keys/passkeyActs.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { KeyAct } from './messages.ts';
import type { Outcome, Time, Token } from '../kit/view.ts';
import type { View } from '../../store/store.ts';
import { fingerprintOf } from '../../trust/publicKeys.ts';
import { signsWithPasskey } from '../surface/inBrowser.ts';
import type { Keys, SignerStanding } from '../surface/keys.ts';

export interface PasskeyRow {
  keyid: Token;
  name: string;
  fingerprint: string;
  /** What its human calls it. */
  label: string;
  origin: string;
  since: Time;
  /** When it last signed a decision of this workspace. */
  used?: Time | undefined;
  /** It meets a policy that asks for passkeys. */
  counts: boolean;
  /** Where it can be confirmed, so that it does: by this editor's key, or by another passkey in the browser. */
  confirm: 'here' | 'browser' | 'no';
  /** It can be renamed and given up here. */
  changeable: boolean;
  stranger: boolean;
}

export type PasskeyAct = Extract<KeyAct, { do: `${string}Passkey` }>;

export function isPasskeyAct(what: KeyAct): what is PasskeyAct {
  return what.do === 'renamePasskey' || what.do === 'giveUpPasskey' || what.do === 'confirmPasskey';
}

export interface PasskeyRowsOptions {
  readonly workspace: Workspace;
  readonly view: View;
  readonly standing: SignerStanding;
  readonly strangers: ReadonlySet<string>;
  /** This editor's key is a root of the team. */
  readonly isRoot: boolean;
}

/** The passkeys that have not been given up. */
export function passkeyRows({ workspace, view, standing, strangers, isRoot }: PasskeyRowsOptions): PasskeyRow[] {
  const used = lastSigned(view);
  const pins = workspace.pins();
  const own = standing.kind === 'enrolled' ? standing : null;
  return listedPasskeys(pins, view.state).flatMap(({ retired, keyid, name, label, origin, since, counts }) => {
    const pin = pins.find((one) => one.keyid === keyid);
    if (retired || !pin || !isPasskey(pin)) return [];
    const at = used.get(keyid);
    const signer = own && { keyid: own.keyid, isPasskey: signsWithPasskey(standing) };
    return [
      {
        ...{ keyid, name, label, origin, since, counts },
        fingerprint: fingerprintOf(keyid),
        ...(at === undefined ? {} : { used: at }),
        stranger: strangers.has(keyid),
        changeable: own !== null && mayChange(workspace, { isRoot, isMine: own.name === name, standing }),
        confirm:
          counts || !signer
            ? ('no' as const)
            : confirmProblem(view.state, pin, signer) === null
              ? ('here' as const)
              : ('browser' as const),
      },
    ];
  });
}

/** Whether passkeys are added to the ring that counts here by this editor's forms. */
export function addsPasskeys(workspace: Workspace, standing: SignerStanding): boolean {
  return standing.kind === 'enrolled' && !signsWithPasskey(standing) && workspace.managedPins() === null;
}

/** In a team, people change their own passkeys, and a root changes all. */
function mayChange(
  workspace: Workspace,
  { isRoot, isMine, standing }: { isRoot: boolean; isMine: boolean; standing: SignerStanding },
): boolean {
  return addsPasskeys(workspace, standing) && (workspace.team() === null || isRoot || isMine);
}

/** Carries out an act on a passkey, which the form has shown and asked about. */
export async function carryOutPasskey(
  keys: Keys,
  scope: KeyScope,
  { act, what }: { readonly act: string; readonly what: PasskeyAct },
): Promise<Outcome> {
  const [workspace] = scope.workspaces;
  const { keyid } = what;
  const pin = workspace.pins().find((one) => one.keyid === keyid && !one.retired);
  if (!pin || !isPasskey(pin)) throw new AppError('conflict', l10n.t('This key is no longer trusted.'));
  const signer = await keys.signer(workspace);
  const done = (text: string): Outcome => ({ type: 'done', act, text });
  switch (what.do) {
    case 'renamePasskey':
      await renamePasskey(scope, signer, what);
      return done(l10n.t('The passkey is named "{0}" now.', what.label));
    case 'giveUpPasskey':
      if (!workspace.team() && (await keys.strangers(workspace)).has(keyid)) await takeOut(scope, signer, keyid, true);
      else await giveUpPasskey(scope, signer, { keyid, why: 'takenOut' });
      return done(l10n.t('The passkey "{0}" signs nothing from now on.', pin.passkey.label));
    case 'confirmPasskey': {
      const store = await workspace.store();
      await confirmPasskey({ store, signer, newId: randomUUID }, pin, scope.shown);
      await keys.know(workspace, keyid);
      return done(
        l10n.t('The passkey "{0}" can decide items for which the policy asks for passkeys.', pin.passkey.label),
      );
    }
  }
}
