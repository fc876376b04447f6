/** A summary that the checks accept, drawn from what the engine's `fill` writes. */
export const GOOD_SUMMARY = '## Goal\n- Talk about things.\n\n## Decisions\n- The words of the first message matter.';
