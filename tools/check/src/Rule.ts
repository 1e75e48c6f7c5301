import type { Source } from './Source.ts'
import type { Workspace } from './Workspace.ts'

/** A violation of a rule: its location (`path` or `path:line`) and a sentence that says what to change. */
export type Violation = { readonly where: string; readonly message: string }

/** The result of a rule: the number of checked items, the violations, and facts worth printing. */
export type Finding = {
  readonly examined: string
  readonly violations: readonly Violation[]
  readonly notes?: readonly string[]
}

/** The input of each rule: the tree, and its parsed sources by path. */
export type Subject = { readonly workspace: Workspace; readonly sources: readonly Source[] }

/** A named rule. */
export type Rule = { readonly name: string; run(subject: Subject): Finding | Promise<Finding> }
