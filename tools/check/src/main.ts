import { fileURLToPath } from 'node:url'
import * as Check from './Check.ts'
import * as Examples from './rules/Examples.ts'
import * as Workspace from './Workspace.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const [option, ...named] = process.argv.slice(2)
const workspace = Workspace.open(root)
if (option === '--examples') {
  const subject = Check.parse(workspace)
  const outcomes = await Check.runRules(subject, [Examples.examples])
  console.log(`${Examples.format(Examples.coverage(subject), named)}\n${Check.format(outcomes)}`)
} else {
  const outcomes = await Check.run(workspace)
  console.log(Check.format(outcomes))
  process.exitCode = outcomes.some(({ violations }) => violations.length > 0) ? 1 : 0
}
