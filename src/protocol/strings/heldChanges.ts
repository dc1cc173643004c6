/** Texts about held files that have changed. */
export const englishHeldChanges = {
  'changes.title': 'Held files changed',
  'changes.lost':
    'It is not known which held files changed: the baseline is missing or was changed, or too many files differ.',
  'changes.by': 'Changed during {call}, {time}',
  'changes.outside': 'Changed outside of any call that Holdpoint saw, {time}',
  'changes.added': 'new',
  'changes.removed': 'deleted',
  'changes.same': 'as before again',
  'changes.elsewhere': 'on another machine',
  'changes.compare': 'Compare',
  'changes.compareLabel': 'Compare {path}',
  'changes.restore': 'Restore',
  'changes.restoreLabel': 'Restore {path}',
  'changes.delete': 'Delete',
  'changes.deleteLabel': 'Delete {path}',
  'changes.accept': 'Accept the change',
  'changes.acceptLabel': 'Accept the change of {path}',
  'changes.acceptAll': 'Accept all changes',
  'changes.effect': 'Commits that contain these changes are denied until you restore or accept them.',
  'changes.inEditor': 'Restore or accept them in the editor.',
} as const;
