/** Texts of the forms about keys. */
export const englishKeys = {
  'keys.title': 'Keys',
  'keys.about':
    'Decisions signed with these keys count on this machine. A decision signed with any other key has no effect.',
  'keys.own': 'This editor signs as',
  'keys.none': 'This editor has no key yet. Your first decision creates it.',
  'keys.since': 'since {time}',
  'keys.copy': 'Copy public key',
  'keys.copyHint': 'Teammates add it in this form; CI uses it too.',
  'keys.copied': 'Copied',
  'keys.rotate': 'Replace key…',
  'keys.rotateAsk': 'Replace this editor’s key?',
  'keys.rotateMore':
    'The old key signs the new one and nothing after that. Its earlier decisions still count. Give teammates and CI the new public key.',
  'keys.rotateYes': 'Yes, replace the key',
  'keys.others': 'Other trusted keys',
  'keys.othersNone': 'None.',
  'keys.stranger':
    'This key was not added through a form of this editor. If you do not recognize it, remove it: nothing it signed will count.',
  'keys.keep': 'Keep it',
  'keys.keepAsk': 'Keep the key of {name}?',
  'keys.keepYes': 'Yes, keep it',
  'keys.takeOut': 'Remove…',
  'keys.takeOutAsk': 'Remove the key of {name}?',
  'keys.takeOutMore':
    'It cannot decide anything from now on. Its earlier decisions still count. It cannot be added again.',
  'keys.takeOutStranger':
    'Nothing it signed counts any more: work that it released is held again. It cannot be added again.',
  'keys.root': 'root of the team',
  'keys.onlyRoot':
    'Yours is the only root of the team. If this key is lost, keys can no longer be added or removed here. Make the key of another person a root as well.',
  'keys.makeRoot': 'Make root…',
  'keys.makeRootAsk': 'Make the key of {name} a root of the team?',
  'keys.makeRootMore':
    'A root can add and remove keys, and remove other roots, yours included. If one root is lost, another goes on.',
  'keys.makeRootYes': 'Yes, make it a root',
  'keys.takeOutYes': 'Yes, remove it',
  'keys.add': 'Trust a teammate’s key',
  'keys.paste': 'Public key of a teammate',
  'keys.pasteHint': 'The text from their “Copy public key” button, or a line printed by “holdpoint keys”.',
  'keys.pasteMissing': 'Paste the public key first.',
  'keys.look': 'Check it…',
  'keys.compare':
    'Compare this with the fingerprint in your teammate’s own form, not with one that came with the key. Trust it only if both are identical.',
  'keys.fingerprint': 'Fingerprint',
  'keys.called': 'Owner',
  'keys.calledMissing': 'Enter the owner’s name.',
  'keys.trustMore': 'Their decisions will count on this machine, including earlier ones.',
  'keys.trust': 'Trust this key',
  'keys.retired': 'Revoked keys',
  'keys.why.rotated': 'replaced by a new key',
  'keys.why.lost': 'lost',
  'keys.why.takenOut': 'removed',
  'keys.why.stranger': 'removed, never added by a form',
  'keys.lost':
    'The key of {name} was reported lost {time}. Teammates and CI that trust it need the new public key and should remove the old one.',

  'passkeys.title': 'Passkeys',
  'passkeys.about':
    'A passkey signs in a browser, after your fingerprint, face or PIN. Have two: if a policy asks for passkeys and all are lost, only starting over helps.',
  'passkeys.add': 'Add a Passkey…',
  'passkeys.instead': 'Use a Passkey Instead…',
  'passkeys.since': 'added {time}',
  'passkeys.used': 'last used here {time}',
  'passkeys.unused': 'not used here yet',
  'passkeys.notCounted': 'It does not count yet where the policy asks for a passkey.',
  'passkeys.confirm': 'Confirm…',
  'passkeys.confirmInBrowser': 'Confirm with Another Passkey…',
  'passkeys.confirmAsk': 'Confirm the passkey “{name}”?',
  'passkeys.confirmMore':
    'It then decides what the policy asks passkeys for. Confirm only a passkey that you have made.',
  'passkeys.confirmYes': 'Yes, confirm it',
  'passkeys.rename': 'Rename…',
  'passkeys.renameAsk': 'Rename the passkey “{name}”?',
  'passkeys.label': 'New name',
  'passkeys.renameYes': 'Rename it',
  'passkeys.giveUp': 'Retire…',
  'passkeys.giveUpAsk': 'Retire the passkey “{name}”?',
  'passkeys.giveUpMore':
    'It signs nothing from now on, and cannot be added again. Its earlier decisions still count. Delete it on its device as well.',
  'passkeys.candidate': 'The passkey “{name}”, which signs at {origin}.',
  'passkeys.giveUpYes': 'Yes, retire it',

  'enrol.open': 'Use this editor too…',
  'enrol.title': 'This editor cannot sign for you yet',
  'enrol.why':
    'Answers are signed with a key in this editor, and this machine already knows other keys. Until you add this editor’s key, your answers here would not count.',
  'enrol.pinned': 'Known keys',
  'enrol.pinnedAt': 'since {time}',
  'enrol.do': 'Let this editor sign',
  'enrol.notYou':
    'If none of these is yours, somebody else has used Holdpoint on this account. Find out who before you continue.',
  'enrol.lost': 'Have you lost the key of another editor?',
  'enrol.lostHint': 'Select the keys that can no longer be used. Leave out teammates and editors you still use.',
  'enrol.lostAsk': 'Revoke the lost keys?',
  'enrol.lostMore':
    'These keys can sign nothing from now on. Their earlier decisions still count. The audit trail and the Keys form show the loss. Teammates and CI that know these keys need your new public key, which you can copy afterwards.',
  'enrol.lostYes': 'Revoke them and sign with a new key',
  'enrol.managedTitle': 'An administrator manages the trusted keys',
  'enrol.managedCopy': 'Copy this editor’s public key',
} as const;
