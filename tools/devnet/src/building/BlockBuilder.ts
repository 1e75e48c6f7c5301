import { type ChainAlias, Id } from '@firn/codec'
import { type Change, LedgerState } from '@firn/ledger'
import * as Verify from '@firn/ledger/Verify'
import { AtomicTx, AvmTx, Limits, PlatformTx } from '@firn/txs'
import { DevnetError } from '../DevnetError.ts'
import * as RecordedChain from '../recorded/RecordedChain.ts'
import type * as RecordedNetwork from '../recorded/RecordedNetwork.ts'
import { assertValid, type Building, type Candidate, createBuilding, seconds } from './Building.ts'
import { CANDIDATES } from './Candidates.ts'
import * as Containers from './Containers.ts'
import type * as EvmAccounts from './EvmAccounts.ts'
import type * as Mempool from './Mempool.ts'

/** A block that the builder has made and accepted. */
export interface BuiltBlock {
  readonly chain: ChainAlias
  readonly block: RecordedChain.RecordedBlock
  /** Id of the inner block's parent. */
  readonly parentId: Uint8Array
  readonly changes: readonly Change.Change[]
}

/** Options of {@link createBlockBuilder}. */
export interface BlockBuilderOptions extends Pick<Containers.ContainerOptions, 'proposers'> {
  readonly rules: RecordedNetwork.NetworkRules
  /** Time in milliseconds after acceptance before a P-chain block is proposed; defaults to 30,000. */
  readonly proposedLagMs?: number | undefined
  /**
   * Checks the signature of a Warp message in a P-chain transaction, by the validators at a P-chain height. By default,
   * signatures are not checked.
   * @throws FirnError with the reason why the message is invalid
   */
  readonly verifyMessage?: ((message: Uint8Array, pChainHeight: bigint) => void) | undefined
  /** Receives each accepted block. */
  readonly onAccepted?: (built: BuiltBlock) => void
}

/** Makes the blocks of the P-, X- and C-chain from issued transactions. */
export interface BlockBuilder {
  readonly rules: RecordedNetwork.NetworkRules
  /** The state after the last blocks. */
  readonly state: LedgerState.LedgerState
  readonly chains: Readonly<Record<ChainAlias, RecordedChain.RecordedChain>>
  readonly mempools: Mempool.Mempools
  /** Balances and nonces of the C-chain's accounts. */
  readonly accounts: EvmAccounts.Accounts
  /** Returns why validators would not accept a signed transaction by the rules of the ledger; undefined if they would. */
  refusal(chain: ChainAlias, bytes: Uint8Array, nowMs: number): Verify.Refusal | undefined
  /**
   * Verifies a signed transaction and adds it to the mempool of its chain. Returns its id.
   * @throws CodecError, TxsError, LedgerError, DevnetError with the reason why no block can contain it
   */
  issue(chain: ChainAlias, bytes: Uint8Array, nowMs: number): Uint8Array
  /** Builds and accepts all blocks that are due, and returns them. */
  build(nowMs: number): readonly BuiltBlock[]
}

/** Maximum number of transactions of one chain that wait for blocks. */
const MAX_WAITING = 4_096
/** Maximum number of blocks that one call builds. */
const MAX_BLOCKS = 256

/** Creates a builder whose chains have only their blocks 0. */
export function createBlockBuilder(options: BlockBuilderOptions): BlockBuilder {
  const { rules, proposers, proposedLagMs = 30_000, verifyMessage, onAccepted } = options
  const containers = { constants: rules.constants, proposers, proposedLagMs }
  const building = createBuilding(rules, containers, verifyMessage)
  const { state, chains, mempools } = building
  return {
    rules,
    state,
    chains,
    mempools,
    get accounts() {
      return building.accounts
    },
    refusal: (chain, bytes, nowMs) => Verify.refusal(state, chain, bytes, seconds(nowMs)),
    issue(chain, bytes, nowMs) {
      const entry = decode(chain, bytes)
      const mempool = mempools[chain]
      if (mempool.has(entry.id)) return entry.id
      if (mempool.size >= MAX_WAITING)
        throw new DevnetError(
          'DEVNET_TRANSACTION',
          `the mempool is full: ${MAX_WAITING} transactions wait for blocks`,
        )
      assertValid(building, chain, entry, nowMs)
      assertSize(chain, entry)
      mempool.add(entry as never)
      return entry.id
    },
    build(nowMs) {
      const built: BuiltBlock[] = []
      for (const chain of Containers.ORDER) {
        while (built.length < MAX_BLOCKS) {
          const candidate = CANDIDATES[chain](building, nowMs)
          if (candidate === undefined) break
          const block = accept(building, chain, candidate, nowMs)
          onAccepted?.(block)
          built.push(block)
        }
      }
      return built
    },
  }
}

function accept(building: Building, chain: ChainAlias, candidate: Candidate, nowMs: number): BuiltBlock {
  const { containers, state, chains, mempools, views } = building
  const { inner, changes, accounts } = candidate
  const parent = views[chain]
  const pChainHeight = Containers.proposedHeight(chains.P, nowMs, containers)
  const { innerId: parentId } = chains[chain].blocks.at(-1) as RecordedChain.RecordedBlock
  const block = Containers.wrap(chains[chain], inner, { parent, pChainHeight, nowMs }, containers)
  LedgerState.commit(state, changes)
  RecordedChain.append(chains[chain], block)
  views[chain] = Containers.lastView(chains[chain], parent.time)
  if (accounts !== undefined) building.accounts = accounts
  for (const change of changes) if (change.type === 'transaction') mempools[chain].remove(change.txId)
  return { chain, block, parentId, changes }
}

/** Checks the size of a transaction as mempools do. The ledger checks the C-chain's limits. */
function assertSize(chain: ChainAlias, { id, bytes: { length } }: Mempool.Entry): void {
  if (chain === 'C' || BigInt(length) <= Limits.MAX_BYTES) return
  const text = `tx too large: ${Id.format(id)} size (${length}) > max size (${Limits.MAX_BYTES})`
  throw new DevnetError('DEVNET_TRANSACTION', text)
}

const CODECS = { P: PlatformTx, X: AvmTx, C: AtomicTx } as const

function decode(chain: ChainAlias, bytes: Uint8Array): Mempool.Entry {
  const { decode, id } = CODECS[chain]
  return { id: id(bytes), bytes, tx: decode(bytes) }
}
