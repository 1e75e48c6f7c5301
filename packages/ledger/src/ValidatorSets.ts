import { Hex, NodeId } from '@firn/codec'
import type { Change } from './Change.ts'
import { type Member, memberKey } from './Records.ts'

/**
 * A change of one member of a subnet's validator set. The member joins if `before` is absent and leaves if
 * `after` is absent.
 */
export interface Difference {
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  readonly before: Pick<Member, 'weight' | 'publicKey'> | undefined
  readonly after: Pick<Member, 'weight' | 'publicKey'> | undefined
}

/**
 * Returns how a block's changes affect the validator sets: one difference for each member that changed. The sets at
 * any height can be computed from the latest sets and all differences.
 * @example
 * ```ts
 * import { type Change, ValidatorSets } from '@firn/ledger'
 *
 * declare const changes: readonly Change.Change[] // of one block
 * const joined = ValidatorSets.differences(changes).filter(({ before }) => before === undefined)
 * ```
 */
export function differences(changes: readonly Change[]): Difference[] {
  const byKey = new Map<string, Difference>()
  for (const change of changes) {
    if (change.type !== 'member') continue
    const { subnetId, nodeId } = (change.after ?? change.before) as Member
    const key = memberKey(subnetId, nodeId)
    const known = byKey.get(key)
    const before = known === undefined ? change.before : known.before
    byKey.set(key, { subnetId, nodeId, before, after: change.after })
  }
  return [...byKey.values()].filter(({ before, after }) => !isSame(before, after))
}

function isSame(a: Difference['before'], b: Difference['before']): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.weight === b.weight && keyText(a) === keyText(b)
}

function keyText({ publicKey }: Pick<Member, 'publicKey'>): string {
  return publicKey === undefined ? '' : Hex.encodeBare(publicKey)
}

/** Members of validator sets, by a key that combines subnet id and node id. */
export type Members = ReadonlyMap<string, Member>

/**
 * Returns the validator sets before the block with these differences.
 * @example
 * ```ts
 * import { type Change, ValidatorSets } from '@firn/ledger'
 *
 * declare const latest: ValidatorSets.Members
 * declare const changes: readonly Change.Change[] // of the last block
 * const previous = ValidatorSets.undo(latest, ValidatorSets.differences(changes))
 * ```
 */
export function undo(members: Members, blockDifferences: readonly Difference[]): Members {
  return change(members, blockDifferences, ({ before }) => before)
}

/**
 * Returns the validator sets after the block with these differences.
 * @example
 * ```ts
 * import { type Change, ValidatorSets } from '@firn/ledger'
 *
 * declare const members: ValidatorSets.Members
 * declare const changes: readonly Change.Change[] // of the next block
 * const next = ValidatorSets.advance(members, ValidatorSets.differences(changes))
 * ```
 */
export function advance(members: Members, blockDifferences: readonly Difference[]): Members {
  return change(members, blockDifferences, ({ after }) => after)
}

function change(
  members: Members,
  blockDifferences: readonly Difference[],
  pick: (difference: Difference) => Difference['after'],
): Members {
  const next = new Map(members)
  for (const difference of blockDifferences) {
    const { subnetId, nodeId } = difference
    const key = memberKey(subnetId, nodeId)
    const member = pick(difference)
    if (member === undefined) next.delete(key)
    else
      next.set(key, {
        subnetId,
        nodeId,
        weight: member.weight,
        publicKey: member.publicKey,
      })
  }
  return next
}

/**
 * Returns a map of the members of all sets, by a key that combines subnet id and node id.
 * @example
 * ```ts
 * import { type LedgerState, ValidatorSets } from '@firn/ledger'
 *
 * declare const state: LedgerState.LedgerState
 * const members = ValidatorSets.of(state.tables.member.ordered())
 * ```
 */
export function of(members: Iterable<Member>): Members {
  return new Map([...members].map((member) => [memberKey(member.subnetId, member.nodeId), member]))
}

/**
 * Returns true if a member stands for all inactive validators of an L1. Such a member has the zero node id.
 * @example
 * ```ts
 * import { ValidatorSets } from '@firn/ledger'
 *
 * declare const members: ValidatorSets.Members
 * const active = [...members.values()].filter((member) => !ValidatorSets.isInactive(member))
 * ```
 */
export function isInactive({ nodeId }: Pick<Member, 'nodeId'>): boolean {
  return memberKey(NodeId.EMPTY, nodeId) === memberKey(NodeId.EMPTY, NodeId.EMPTY)
}
