// A Vitest reporter that collects the names of failed tests with their errors, and of those that passed only when retried, for the
// summary of `npm test`.
import { writeFileSync } from 'node:fs';
import { summarizeError } from './summarize-error.mjs';

/** Returns the name of a test or file with the first lines of its errors. */
const withErrors = (name, errors) => [name, ...errors.map(summarizeError)].join('\n  ');

export default class VitestSummary {
  #summary = { passed: 0, failed: [], skipped: 0, retried: [] };

  onTestCaseResult(testCase) {
    const name = `${testCase.module.relativeModuleId} › ${testCase.fullName}`;
    const { state, errors = [] } = testCase.result();
    if (state === 'skipped') this.#summary.skipped++;
    else if (state === 'failed') this.#summary.failed.push(withErrors(name, errors));
    else this.#summary.passed++;
    if (testCase.diagnostic()?.flaky) this.#summary.retried.push(name);
  }

  // A file that does not load and a `beforeAll` that throws fail without a test result.
  onTestModuleEnd(testModule) {
    const errors = testModule.errors();
    if (errors.length > 0) this.#summary.failed.push(withErrors(testModule.relativeModuleId, errors));
  }

  onTestSuiteResult(testSuite) {
    const errors = testSuite.errors();
    const name = `${testSuite.module.relativeModuleId} › ${testSuite.fullName}`;
    if (errors.length > 0) this.#summary.failed.push(withErrors(name, errors));
  }

  onTestRunEnd() {
    writeFileSync(process.env.FILESTEAD_UNIT_SUMMARY, JSON.stringify(this.#summary));
  }
}
