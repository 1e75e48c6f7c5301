import * as Fences from '../Fences.ts'
import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Package } from '../Workspace.ts'

const incomplete = (
  owner: Package,
  fences: readonly Fences.Fence[],
  exists: boolean,
): readonly Violation[] => {
  const where = `${owner.folder}/README.md`
  if (!exists) return [{ where, message: `${owner.name} has no README` }]
  // Nothing can be imported from a program.
  if (owner.manifest.exports === undefined) return []
  if (fences.length === 0) return [{ where, message: `${owner.name}'s README has no \`\`\`ts example` }]
  const own = fences.some(({ code }) => code.includes(`from '${owner.name}`))
  return own ? [] : [{ where, message: `no example in ${owner.name}'s README imports ${owner.name}` }]
}

const run = async ({ workspace }: Subject) => {
  const { root, packages, files } = workspace
  const violations: Violation[] = []
  const placed: Fences.Placed[] = []
  for (const owner of packages) {
    const file = `${owner.folder}/README.md`
    const exists = files.includes(file)
    const fences = exists ? Fences.inMarkdown(workspace.read(file)) : []
    violations.push(...incomplete(owner, fences, exists))
    placed.push(...fences.map((fence) => ({ folder: owner.folder, file, fence })))
    for (const page of files.filter((one) => one.startsWith(`${owner.folder}/pages/`) && one.endsWith('.md')))
      placed.push(
        ...Fences.inMarkdown(workspace.read(page)).map((fence) => ({
          folder: owner.folder,
          file: page,
          fence,
        })),
      )
  }
  violations.push(...(await Fences.compile(root, 'readme', placed)))
  return { examined: `${placed.length} examples`, violations }
}

/**
 * Checks that each package has a README, with a TypeScript example unless it is a program, and that the TypeScript
 * examples in it and in documentation pages compile.
 */
export const readmes: Rule = { name: 'README examples', run }
