// Counts out of the reports of the suites: { passed, failed, skipped }.

/** A test file that does not load has no tests of its own: it counts as one failed. */
export function countVitest(report) {
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** A test that needed a second try is not counted as passed. Errors outside of tests count too. */
export function countPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

export function countGuards(report) {
  return { passed: report.passed, failed: report.failed.length, skipped: 0 };
}
