import type { Source } from './Source.ts'
import type { Workspace } from './Workspace.ts'

/** A violation of a rule: its location (`path` or `path:line`) and a message that says what to change. */
export type Violation = { readonly where: string; readonly message: string }

/** Result of a rule: the number of checked items, the violations, and facts such as measured sizes. */
export type Finding = {
  readonly examined: string
  readonly violations: readonly Violation[]
  readonly notes?: readonly string[]
}

/** Input of each rule: the workspace and its parsed sources. */
export type Subject = { readonly workspace: Workspace; readonly sources: readonly Source[] }

/** A named rule. */
export type Rule = { readonly name: string; run(subject: Subject): Finding | Promise<Finding> }
