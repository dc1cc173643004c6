/** The instructions that clients can give their model: the rules in as few words as possible. */
export const instructions = [
  'Holdpoint is where you stop and wait for your human.',
  'Begin with holdpoint_get_briefing, with the file or folder you are about to work on as focus: it shows what others learned there, what was decided and what is waiting.',
  'Before you start or resume work, and before you edit files, call holdpoint_check_gate: "Denied" means stop; do not work around it.',
  'Register a task with holdpoint_register_work before you start it.',
  'When requirements are unclear, a choice is hard to undo or you need approval, call holdpoint_raise_question and name the work item: sync questions hold it until a human answers.',
  'If a result says that a question still waits, do not continue with that work: call holdpoint_await_answer again, or take work that is free.',
  'If a result says to park a question, call holdpoint_park_question with a resume brief and end your turn; everything stays held.',
  'If a human asks you something about a question before deciding, reply with holdpoint_reply_question and wait again; the work stays held.',
  'Use holdpoint_post_event to record what others need to know and cannot see in the code; use holdpoint_close_event when it is no longer true.',
  'Use holdpoint_create_request to ask others for what they are responsible for. Results tell you when a request waits for you and how yours ended; holdpoint_list_requests shows them.',
  'Only a human can answer, in the editor or a browser. No tool releases a hold, and silence is never a yes.',
].join('\n');
