import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as ApiReport from '../ApiReport.ts'
import type { Rule, Violation } from '../Rule.ts'
import type { Package, Workspace } from '../Workspace.ts'

const isLibrary = ({ folder, manifest }: Package): boolean =>
  folder.startsWith('packages/') && manifest.private !== true

const reports = ({ root, packages }: Workspace): ReadonlyMap<string, string> =>
  ApiReport.create(root, packages.filter(isLibrary))

/** Returns a violation that shows the first line by which a stored report differs from the types. */
export const compare = (where: string, stored: string, current: string): readonly Violation[] => {
  if (stored === current) return []
  const lines = stored.split('\n')
  const all = current.split('\n')
  const at = all.findIndex((line, index) => line !== lines[index])
  const line = at === -1 ? '(the end)' : all[at]
  return [
    {
      where: `${where}:${at === -1 ? all.length : at + 1}`,
      message: `the public types have changed, here: ${line}. Run npm run api, and add a changeset.`,
    },
  ]
}

const run = ({ workspace }: { readonly workspace: Workspace }) => {
  const all = [...reports(workspace)]
  const violations = all.flatMap(([folder, current]) => {
    const file = `${folder}/api.md`
    return compare(file, workspace.files.includes(file) ? workspace.read(file) : '', current)
  })
  return { examined: `${all.length} libraries`, violations }
}

/** Writes the reports of all libraries. Their type declarations must have been built. */
export const write = (workspace: Workspace): void => {
  for (const [folder, text] of reports(workspace)) writeFileSync(join(workspace.root, folder, 'api.md'), text)
}

/** Checks that the committed report of each library's public types is up to date. */
export const apiReports: Rule = { name: 'API reports', run }
