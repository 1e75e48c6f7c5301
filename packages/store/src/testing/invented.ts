import { Bytes, Id } from '@firn/codec'
import { type Change, LedgerState, type Records } from '@firn/ledger'
import type { OpenResult } from '../Writer.ts'

/** An invented block of the P-chain, described by the changes that it makes. */
export interface InventedBlock {
  /** Time of the block in Unix seconds; the previous block's time by default. */
  readonly time?: bigint
  /** Time of acceptance, in nanoseconds since 1970. */
  readonly acceptedAt?: bigint
  readonly platform?: Partial<Records.PlatformTip>
  readonly changes?: readonly Change.Change[]
}

/** Stores invented blocks, for cases that no recording contains. For tests only. */
export async function commitInvented(
  { writer, state }: OpenResult,
  blocks: readonly InventedBlock[],
): Promise<void> {
  for (const { acceptedAt, changes = [], ...block } of blocks) {
    const before = LedgerState.tip(state, 'P')
    const bytes = Bytes.concat(before.blockId, Uint8Array.of(1))
    const after: Records.Tip = {
      ...before,
      height: before.height + 1n,
      blockId: Id.hash(bytes),
      time: block.time ?? before.time,
      platform: { ...(before.platform as Records.PlatformTip), ...block.platform },
    }
    const all: Change.Change[] = [...changes, { type: 'tip', before, after, txId: undefined }]
    const container =
      acceptedAt === undefined ? {} : { container: { id: Id.hash(after.blockId), bytes, acceptedAt } }
    await writer.commit([{ chain: 'P', bytes, parentId: before.blockId, ...container, changes: all }])
    LedgerState.commit(state, all)
  }
}

/** Returns the change with which a block adds a record. For tests only. */
export function adding<Name extends Records.TableName>(
  type: Name,
  after: Records.Records[Name],
): Change.Change {
  return { type, before: undefined, after, txId: undefined } as Change.RecordChange
}

const OWNER = { locktime: 0n, threshold: 1, addresses: [new Uint8Array(20).fill(9)] }

/**
 * Returns a current validator of the Primary Network without a BLS key, overridden by `given`. For tests
 * only.
 */
export function inventedStaker(given: Partial<Records.Staker>): Records.Staker {
  return {
    txId: new Uint8Array(32),
    subnetId: new Uint8Array(32),
    nodeId: new Uint8Array(20),
    role: 'validator',
    kind: 'primary',
    status: 'current',
    priority: 11,
    startTime: 1_800_000_000n,
    endTime: 1_900_000_000n,
    weight: 1n,
    signer: undefined,
    potentialReward: 0n,
    delegateeReward: 0n,
    stake: [],
    stakeIndex: 0,
    rewardsOwner: OWNER,
    delegationRewardsOwner: OWNER,
    shares: 20_000,
    autoRenewal: undefined,
    ...given,
  }
}

/** Returns a subnet with one owner, overridden by `given`. For tests only. */
export function inventedSubnet(given: Partial<Records.Subnet>): Records.Subnet {
  return {
    subnetId: new Uint8Array(32).fill(1),
    owner: OWNER,
    transformation: undefined,
    conversion: undefined,
    height: 1n,
    ordinal: 0,
    ...given,
  }
}
