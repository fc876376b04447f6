/** Tools of this chat alone. */
import type { DataThread } from '../db/thread/client';
import { recallTool } from './recall';
import type { Toolbox } from './tool';

/** `recall` is offered once there is something to recall: its list is then new anyway, since the summary is. */
export function chatTools(data: DataThread): Toolbox {
  return {
    needed: () => {},
    toolsFor: (scope) => {
      if (scope.covered.length === 0) return [];
      return [
        recallTool(scope, ({ branchId, covered, resultTokens, rates }, question) =>
          data.ask('recall', {
            branch: branchId,
            ranges: covered,
            question,
            budget: resultTokens,
            rates,
            strict: false,
          }),
        ),
      ];
    },
  };
}
