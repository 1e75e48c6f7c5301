import { fileURLToPath } from 'node:url'
import * as Check from './Check.ts'
import * as Workspace from './Workspace.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const outcomes = await Check.run(Workspace.open(root))
console.log(Check.format(outcomes))
process.exitCode = outcomes.some(({ violations }) => violations.length > 0) ? 1 : 0
