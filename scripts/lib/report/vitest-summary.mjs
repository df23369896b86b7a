// A Vitest reporter that collects the names of failed tests with their errors, and of those that passed only when retried, for the
// summary of `npm test`. FILESTEAD_ONLY_TAG is the tag of the tests that this run includes; the others do not count as skipped.
import { writeFileSync } from 'node:fs';
import { withErrors } from './with-errors.mjs';

const onlyTag = process.env.FILESTEAD_ONLY_TAG;

export default class VitestSummary {
  #summary = { passed: 0, failed: [], skipped: 0, retried: [] };

  onTestCaseResult(testCase) {
    if (onlyTag !== undefined && !testCase.tags.includes(onlyTag)) return;
    const { state, errors = [] } = testCase.result();
    const name = withErrors(`${testCase.module.relativeModuleId} › ${testCase.fullName}`, errors);
    if (state === 'skipped') this.#summary.skipped++;
    else if (state === 'failed') this.#summary.failed.push(name);
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
