import type { Finding, Rule, Subject } from './Rule.ts'
import { apiReports } from './rules/ApiReports.ts'
import { browserSafety } from './rules/BrowserSafety.ts'
import { bundleSizes } from './rules/BundleSizes.ts'
import { diagrams } from './rules/Diagrams.ts'
import { documents } from './rules/Documents.ts'
import { examples } from './rules/Examples.ts'
import { floors } from './rules/Floors.ts'
import { house } from './rules/House.ts'
import { idSpelling } from './rules/IdSpelling.ts'
import { imports } from './rules/Imports.ts'
import { language } from './rules/Language.ts'
import { machineTraces } from './rules/MachineTraces.ts'
import { manifests } from './rules/Manifests.ts'
import { publication } from './rules/Publication.ts'
import { readmes } from './rules/Readmes.ts'
import { structure } from './rules/Structure.ts'
import { tarballs } from './rules/Tarballs.ts'
import { testClocks } from './rules/TestClocks.ts'
import { types } from './rules/Types.ts'
import { vectorSizes } from './rules/VectorSizes.ts'
import * as Source from './Source.ts'
import { isSource, type Workspace } from './Workspace.ts'

/** All rules, in the order of the report. */
export const RULES: readonly Rule[] = [
  types,
  imports,
  manifests,
  publication,
  apiReports,
  browserSafety,
  bundleSizes,
  readmes,
  diagrams,
  documents,
  examples,
  tarballs,
  house,
  floors,
  structure,
  idSpelling,
  language,
  machineTraces,
  testClocks,
  vectorSizes,
]

/** The result of one rule for a workspace. */
export type Outcome = Finding & { readonly rule: string }

/** Parses all sources of a workspace and returns them as input for the rules. */
export const parse = (workspace: Workspace): Subject => ({
  workspace,
  sources: workspace.files.filter(isSource).map((path) => Source.parse(path, workspace.read(path))),
})

/** Runs the rules on a parsed workspace. Returns the outcome of each rule. */
export const runRules = async (subject: Subject, rules: readonly Rule[]): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const rule of rules) outcomes.push({ rule: rule.name, ...(await rule.run(subject)) })
  return outcomes
}

/** Parses a workspace and runs the rules on it. Returns the outcome of each rule. */
export const run = (workspace: Workspace, rules: readonly Rule[] = RULES): Promise<readonly Outcome[]> =>
  runRules(parse(workspace), rules)

/** Formats the outcomes: one line per rule, followed by its violations. */
export const format = (outcomes: readonly Outcome[]): string => {
  const lines = outcomes.flatMap(({ rule, examined, violations, notes = [] }) => [
    `${violations.length === 0 ? 'ok  ' : 'FAIL'}  ${rule.padEnd(16)} ${examined}${violations.length > 0 ? `, ${violations.length} wrong` : ''}`,
    ...notes.map((note) => `        ${note}`),
    ...violations.map(({ where, message }) => `      ${where}  ${message}`),
  ])
  return lines.join('\n')
}
