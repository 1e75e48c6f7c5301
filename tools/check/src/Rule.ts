import type { Source } from './Source.ts'
import type { Workspace } from './Workspace.ts'

/** One breach of a rule: where (`path` or `path:line`) and a sentence that says what to change. */
export type Violation = { readonly where: string; readonly message: string }

/** What a rule found: how much it looked at, what is wrong, and facts worth printing. */
export type Finding = {
  readonly examined: string
  readonly violations: readonly Violation[]
  readonly notes?: readonly string[]
}

/** What each rule is given: the tree, and its parsed sources by path. */
export type Subject = { readonly workspace: Workspace; readonly sources: readonly Source[] }

/** A named rule of the house. */
export type Rule = { readonly name: string; run(subject: Subject): Finding | Promise<Finding> }
