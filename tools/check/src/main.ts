import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as Check from './Check.ts'
import * as ApiReports from './rules/ApiReports.ts'
import * as Diagrams from './rules/Diagrams.ts'
import * as Examples from './rules/Examples.ts'
import * as StructureRule from './rules/Structure.ts'
import { types } from './rules/Types.ts'
import * as Structure from './Structure.ts'
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
} else if (args[0] === '--structure') {
  const measured = args[1] === undefined ? workspace : Workspace.open(resolve(args[1]))
  console.log(Structure.format(Structure.measure(Check.parse(measured).sources)))
} else if (args[0] === '--write-diagrams') {
  Diagrams.write(Check.parse(workspace))
} else if (args[0] === '--lower-structure') {
  StructureRule.lower(Check.parse(workspace))
} else {
  // If no names are given, every rule is checked.
  const rules = Check.RULES.filter(
    ({ name }) => args.length === 0 || args.includes(name) || name === types.name,
  )
  const outcomes = await Check.run(workspace, rules)
  console.log(Check.format(outcomes))
  process.exitCode = outcomes.some(({ violations }) => violations.length > 0) ? 1 : 0
}
