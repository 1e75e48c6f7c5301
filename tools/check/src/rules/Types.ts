import { join } from 'node:path'
import * as Fences from '../Fences.ts'
import type { Rule, Subject } from '../Rule.ts'

const run = async ({ workspace: { root, packages } }: Subject) => {
  const output = await Fences.runCompiler(join(root, 'tsconfig.json'), root, undefined, '-b')
  return { examined: `${packages.length} packages`, violations: Fences.translate(output, []) }
}

/** Builds the type declarations that the rules on examples and tarballs read, if they are missing or outdated. */
export const types: Rule = { name: 'types', run }
