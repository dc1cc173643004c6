/** What a client may put before its model: the rules, in as few words as they can be said. */
export const instructions = [
  'Holdpoint is where you stop for your human.',
  'Begin with holdpoint_get_briefing, with the file or folder you are about to work on as focus: it says what others learned there, what was decided and what waits.',
  'Before you start or resume work, and before you edit files, call holdpoint_check_gate: "Denied" means stop and do not work around it.',
  'Register a task with holdpoint_register_work before you start it.',
  'When requirements are unclear, a choice is hard to undo or you need approval, call holdpoint_raise_question and name the work item: sync questions hold it until a human answers.',
  'If a result says that a question still waits, do not go on with that work: call holdpoint_await_answer again, or take work that is free.',
  'What whoever comes next must know and cannot see in the code, post with holdpoint_post_event; close with holdpoint_close_event what is no longer true.',
  'What others are responsible for, ask of them with holdpoint_create_request. Results say when a request waits for you and what became of yours; holdpoint_list_requests shows them.',
  'Only a human can answer, in the editor. Nothing you can call releases a hold, and silence is never a yes.',
].join('\n');
