import type { Finding, Rule } from './Rule.ts'
import { browserSafety } from './rules/BrowserSafety.ts'
import { bundleSizes } from './rules/BundleSizes.ts'
import { house } from './rules/House.ts'
import { imports } from './rules/Imports.ts'
import { machineTraces } from './rules/MachineTraces.ts'
import { manifests } from './rules/Manifests.ts'
import { readmes } from './rules/Readmes.ts'
import { vectorSizes } from './rules/VectorSizes.ts'
import * as Source from './Source.ts'
import { isSource, type Workspace } from './Workspace.ts'

/** Every rule, in the order in which they are told. */
export const RULES: readonly Rule[] = [
  imports,
  manifests,
  browserSafety,
  bundleSizes,
  readmes,
  house,
  machineTraces,
  vectorSizes,
]

/** What one rule found in a workspace. */
export type Outcome = Finding & { readonly rule: string }

/** The outcome of each rule over a workspace. */
export const run = async (
  workspace: Workspace,
  rules: readonly Rule[] = RULES,
): Promise<readonly Outcome[]> => {
  const sources = workspace.files.filter(isSource).map((path) => Source.parse(path, workspace.read(path)))
  const outcomes: Outcome[] = []
  for (const rule of rules) outcomes.push({ rule: rule.name, ...(await rule.run({ workspace, sources })) })
  return outcomes
}

/** The outcomes as lines for a person: one per rule, each breach under it. */
export const format = (outcomes: readonly Outcome[]): string => {
  const lines = outcomes.flatMap(({ rule, examined, violations, notes = [] }) => [
    `${violations.length === 0 ? 'ok  ' : 'FAIL'}  ${rule.padEnd(16)} ${examined}${violations.length > 0 ? `, ${violations.length} wrong` : ''}`,
    ...notes.map((note) => `        ${note}`),
    ...violations.map(({ where, message }) => `      ${where}  ${message}`),
  ])
  return lines.join('\n')
}
