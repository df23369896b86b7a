// A Vitest reporter that collects the names of failed tests and of those that passed only when retried, for the summary of `npm test`.
import { writeFileSync } from 'node:fs';

export default class VitestSummary {
  #summary = { passed: 0, failed: [], skipped: 0, retried: [] };

  onTestCaseResult(testCase) {
    const name = `${testCase.module.relativeModuleId} › ${testCase.fullName}`;
    const { state } = testCase.result();
    if (state === 'skipped') this.#summary.skipped++;
    else if (state === 'failed') this.#summary.failed.push(name);
    else this.#summary.passed++;
    if (testCase.diagnostic()?.flaky) this.#summary.retried.push(name);
  }

  // A file that does not load and a `beforeAll` that throws fail without a test result.
  onTestModuleEnd(testModule) {
    if (testModule.errors().length > 0) this.#summary.failed.push(testModule.relativeModuleId);
  }

  onTestSuiteResult(testSuite) {
    if (testSuite.errors().length > 0)
      this.#summary.failed.push(`${testSuite.module.relativeModuleId} › ${testSuite.fullName}`);
  }

  onTestRunEnd() {
    writeFileSync(process.env.FILESTEAD_UNIT_SUMMARY, JSON.stringify(this.#summary));
  }
}
