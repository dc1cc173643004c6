/** What clients can tell their model. Only here: that none but a human decides. */
const rule =
  'Only a human can answer, in the editor or a browser. No tool releases a hold, and silence is never a yes.';

export const instructions = [
  'Holdpoint is where you stop and wait for your human.',
  'Begin with holdpoint_get_briefing for the file or folder you are about to work on.',
  'Register a task with holdpoint_record_work before you start it.',
  'Call holdpoint_check_gate before you start or resume work and before you edit files: "Denied" means stop; do not work around it.',
  'When requirements are unclear, a choice is hard to undo or you need approval, call holdpoint_raise_question and name the work item.',
  'A result that begins with "Do not" is a no. While a question waits, do not continue its work: call holdpoint_await_answer again, or take free work.',
  'When you learn what others need to know and cannot see in the code, call holdpoint_post_note.',
  rule,
].join('\n');

/** For a folder that does not use Holdpoint yet: it has one tool. */
export const firstInstructions = [
  'When requirements are unclear, a choice is hard to undo or you need approval, call holdpoint_raise_question and wait for your human.',
  rule,
].join('\n');
