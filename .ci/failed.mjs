// Prints a line for each failed test in the given result files: its file, its name and the first line of the failure.
// With `--files`, prints only the paths of the failed files.
import { failuresOf, pathOf, testFiles } from './results.mjs'

const [isShort, paths] =
  process.argv[2] === '--files' ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)]
for (const file of testFiles(paths)) {
  const failures = failuresOf(file)
  if (isShort && failures.length > 0) console.log(pathOf(file))
  if (isShort) continue
  for (const { fullName, failureMessages } of failures)
    console.log(`${pathOf(file)}: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`)
}
