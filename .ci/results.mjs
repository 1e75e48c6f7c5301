// Reads vitest's result files. Of a test file that was run again, the last result counts.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Returns the results of the test files in the given result files, in order of their runs. */
export const testFiles = (paths) => {
  const runs = paths.filter((path) => existsSync(path)).map((path) => JSON.parse(readFileSync(path, 'utf8')))
  return [
    ...new Map(runs.flatMap(({ testResults }) => testResults).map((file) => [file.name, file])).values(),
  ]
}

/** Returns the failures of a test file. A file that cannot be loaded has no tests, and counts as one failure. */
export const failuresOf = (file) => {
  const failures = file.assertionResults.filter(({ status }) => status === 'failed')
  return file.status === 'failed' && failures.length === 0
    ? [{ fullName: 'cannot be loaded', failureMessages: [file.message] }]
    : failures
}

/** Returns the path of a test file, relative to the root. */
export const pathOf = (file) => relative(process.cwd(), file.name)
