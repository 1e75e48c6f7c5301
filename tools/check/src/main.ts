import { fileURLToPath } from 'node:url'
import * as Check from './Check.ts'
import * as ApiReports from './rules/ApiReports.ts'
import * as Examples from './rules/Examples.ts'
import { types } from './rules/Types.ts'
import * as Workspace from './Workspace.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const workspace = Workspace.open(root)
const args = process.argv.slice(2)
if (args[0] === '--examples') {
  const subject = Check.parse(workspace)
  const outcomes = await Check.runRules(subject, [types, Examples.examples])
  console.log(`${Examples.format(Examples.coverage(subject), args.slice(1))}\n${Check.format(outcomes)}`)
} else if (args[0] === '--write-api') {
  const outcomes = await Check.run(workspace, [types])
  console.log(Check.format(outcomes))
  ApiReports.write(workspace)
} else {
  // If no names are given, every rule is checked.
  const rules = Check.RULES.filter(
    ({ name }) => args.length === 0 || args.includes(name) || name === types.name,
  )
  const outcomes = await Check.run(workspace, rules)
  console.log(Check.format(outcomes))
  process.exitCode = outcomes.some(({ violations }) => violations.length > 0) ? 1 : 0
}
