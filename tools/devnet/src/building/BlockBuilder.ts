import { type ChainAlias, type FirnError, Id, isFirnError } from '@firn/codec'
import { type Change, Ledger, LedgerState, Records } from '@firn/ledger'
import * as Verify from '@firn/ledger/Verify'
import { AtomicTx, AvmBlock, AvmTx, EvmBlock, Limits, PlatformBlock, PlatformTx } from '@firn/txs'
import { DevnetError } from '../DevnetError.ts'
import * as RecordedChain from '../recorded/RecordedChain.ts'
import * as RecordedNetwork from '../recorded/RecordedNetwork.ts'
import * as Containers from './Containers.ts'
import * as EvmAccounts from './EvmAccounts.ts'
import * as EvmBlocks from './EvmBlocks.ts'
import * as Mempool from './Mempool.ts'

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

/**
 * Maximum size of a block's transactions in bytes. Sources: avalanchego's targets of 128 KiB on the P- and X-chain, and of
 * 40 KiB for the atomic transactions of a block of the C-chain before Helicon.
 */
const MAX_BYTES: Readonly<Record<ChainAlias, number>> = { P: 131_072, X: 131_072, C: 40_960 }
/** Maximum number of transactions in a block, because each of them is tried on top of the previous ones. */
const MAX_TXS = 64
/** Maximum number of transactions of one chain that wait for blocks. */
const MAX_WAITING = 4_096
/** Maximum number of blocks that one call builds. */
const MAX_BLOCKS = 256

/** Error code of a transaction, or of transactions together, that need more gas than the chain has now. */
const NO_GAS = 'TXS_CAPACITY'

interface Candidate {
  readonly inner: Containers.InnerBlock
  readonly changes: readonly Change.Change[]
  readonly accounts?: EvmAccounts.Accounts
}

/** Creates a builder whose chains have only their blocks 0. */
export function createBlockBuilder(options: BlockBuilderOptions): BlockBuilder {
  const { rules, proposers, proposedLagMs = 30_000, verifyMessage, onAccepted } = options
  const { genesis, constants } = rules
  const containerOptions = { constants, proposers, proposedLagMs }
  const state = LedgerState.create(genesis, constants)
  const chains = RecordedNetwork.firstChains(rules)
  const mempools = Mempool.createAll()
  let accounts = EvmAccounts.create(genesis.cChain.genesisData)
  const views = Object.fromEntries(
    Containers.ORDER.map((chain) => {
      const { time } = LedgerState.tip(state, chain)
      return [chain, Containers.lastView(chains[chain], time)]
    }),
  ) as Record<ChainAlias, Containers.View>

  const candidates: { readonly [C in ChainAlias]: (nowMs: number) => Candidate | undefined } = {
    P: platformCandidate,
    X: avmCandidate,
    C: atomicCandidate,
  }

  return {
    rules,
    state,
    chains,
    mempools,
    get accounts() {
      return accounts
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
      assertValid(chain, entry, nowMs)
      assertSize(chain, entry)
      mempool.add(entry as never)
      return entry.id
    },
    build(nowMs) {
      const built: BuiltBlock[] = []
      for (const chain of Containers.ORDER) {
        while (built.length < MAX_BLOCKS) {
          const candidate = candidates[chain](nowMs)
          if (candidate === undefined) break
          built.push(accept(chain, candidate, nowMs))
        }
      }
      return built
    },
  }

  function assertValid(chain: ChainAlias, { tx, bytes }: Mempool.Entry, nowMs: number): void {
    const refusal = Verify.refusal(state, chain, bytes, seconds(nowMs))
    if (refusal !== undefined) throw refusal.error
    if (chain === 'P' && 'message' in tx.unsignedTx) {
      const time = Containers.nextTime(views.P, nowMs)
      verifyMessage?.(tx.unsignedTx.message, Containers.nextEpoch(views.P, time, constants).pChainHeight)
    }
    if (chain === 'C') EvmAccounts.apply(accounts, tx as AtomicTx.AtomicTx, genesis.avaxAssetId)
  }

  function accept(chain: ChainAlias, candidate: Candidate, nowMs: number): BuiltBlock {
    const { inner, changes } = candidate
    const parent = views[chain]
    const pChainHeight = Containers.proposedHeight(chains.P, nowMs, containerOptions)
    const { innerId: parentId } = chains[chain].blocks.at(-1) as RecordedChain.RecordedBlock
    const block = Containers.wrap(chains[chain], inner, { parent, pChainHeight, nowMs }, containerOptions)
    LedgerState.commit(state, changes)
    RecordedChain.append(chains[chain], block)
    views[chain] = Containers.lastView(chains[chain], parent.time)
    if (candidate.accounts !== undefined) accounts = candidate.accounts
    for (const change of changes) if (change.type === 'transaction') mempools[chain].remove(change.txId)
    const built = { chain, block, parentId, changes }
    onAccepted?.(built)
    return built
  }

  /**
   * Returns the block of as many waiting transactions as fit, in order; undefined if there is none. Drops transactions
   * that no block can contain any more.
   */
  function pack<C extends ChainAlias>(
    chain: C,
    nowMs: number,
    attempt: (entries: readonly Mempool.Entry<C>[]) => Candidate,
  ): Candidate | undefined {
    const valid: Mempool.Entry<C>[] = []
    let size = 0
    for (const entry of mempools[chain].entries() as Iterable<Mempool.Entry<C>>) {
      size += entry.bytes.length
      if (valid.length >= MAX_TXS || (valid.length > 0 && size > MAX_BYTES[chain])) break
      const error = isFinal(chain, entry) ? undefined : errorOf(() => assertValid(chain, entry, nowMs))
      if (error?.code === NO_GAS) break
      if (error === undefined) valid.push(entry)
      else mempools[chain].drop(entry.id, error.message)
    }
    return fit(chain, valid, attempt)
  }

  /** Returns the block of as many of the given transactions as fit together, and drops those that conflict with others. */
  function fit<C extends ChainAlias>(
    chain: C,
    entries: readonly Mempool.Entry<C>[],
    attempt: (entries: readonly Mempool.Entry<C>[]) => Candidate,
  ): Candidate | undefined {
    const [first] = entries
    if (first === undefined) return undefined
    let best: Candidate | undefined
    const error = errorOf(() => {
      best = attempt(entries)
    })
    if (error === undefined) return best
    // The gas of the next seconds suffices for the rest.
    if (error.code === NO_GAS) return fit(chain, entries.slice(0, Math.floor(entries.length / 2)), attempt)
    if (entries.length === 1) {
      mempools[chain].drop(first.id, error.message)
      return undefined
    }
    const chosen: Mempool.Entry<C>[] = []
    for (const entry of entries) {
      const conflict = errorOf(() => {
        best = attempt([...chosen, entry])
      })
      if (conflict === undefined) chosen.push(entry)
      else if (conflict.code === NO_GAS) break
      else mempools[chain].drop(entry.id, conflict.message)
    }
    return best
  }

  function platformCandidate(nowMs: number): Candidate | undefined {
    const parent = LedgerState.tip(state, 'P')
    const { blockId: parentId, height, platform } = parent
    const latest = Containers.nextTime(parent, nowMs)
    const place = { parentID: parentId, height: height + 1n }
    const proposal = platform?.proposal
    if (proposal !== undefined)
      return platformBlock({
        type: 'BanffCommitBlock',
        time: 'time' in proposal ? proposal.time : latest,
        ...place,
      })
    const standard = (time: bigint, txs: readonly PlatformTx.PlatformTx[]) =>
      platformBlock({ type: 'BanffStandardBlock', time, ...place, txs })
    const { time, empty } = advance(latest, (at) => standard(at, []))
    const staker = firstDue(time)
    if (staker !== undefined)
      return platformBlock({
        type: 'BanffProposalBlock',
        time,
        ...place,
        txs: [],
        tx: rewardOf(staker, time),
      })
    return (
      pack('P', nowMs, (entries) =>
        standard(
          time,
          entries.map(({ tx }) => tx),
        ),
      ) ?? empty
    )
  }

  function platformBlock(content: PlatformBlock.PlatformBlock): Candidate {
    const bytes = PlatformBlock.encode(content)
    const isOption = content.type === 'BanffCommitBlock'
    return {
      inner: { id: PlatformBlock.id(bytes), bytes, isOption },
      changes: Ledger.apply(state, 'P', bytes),
    }
  }

  /**
   * Returns the first staker whose period ends at `time` and who is rewarded by a proposal. The time itself removes
   * permissioned validators.
   */
  function firstDue(time: bigint): Records.Staker | undefined {
    for (const staker of state.tables.staker.ordered()) {
      if (Records.nextTime(staker) > time) return undefined
      if (staker.status === 'current' && staker.kind !== 'permissioned') return staker
    }
    return undefined
  }

  function avmCandidate(nowMs: number): Candidate | undefined {
    const parent = LedgerState.tip(state, 'X')
    const { blockId: parentId, height } = parent
    const time = Containers.nextTime(parent, nowMs)
    return pack('X', nowMs, (entries) => {
      const txs = entries.map(({ tx }) => tx)
      const place = { parentID: parentId, height: height + 1n, time, merkleRoot: Id.EMPTY }
      const bytes = AvmBlock.encode({ type: 'StandardBlock', ...place, txs })
      return {
        inner: { id: AvmBlock.id(bytes), bytes, isOption: false },
        changes: Ledger.apply(state, 'X', bytes),
      }
    })
  }

  function atomicCandidate(nowMs: number): Candidate | undefined {
    const parent = LedgerState.tip(state, 'C')
    const { height } = parent
    const time = Containers.nextTime(parent, nowMs)
    const { innerId: parentHash } = chains.C.blocks.at(-1) as RecordedChain.RecordedBlock
    return pack('C', nowMs, (entries) => {
      const txs = entries.map(({ tx }) => tx)
      const after = txs.reduce((before, tx) => EvmAccounts.apply(before, tx, genesis.avaxAssetId), accounts)
      const bytes = EvmBlocks.encode({ parentHash, height: height + 1n, time, txs })
      const inner = { id: EvmBlock.decode(bytes).hash, bytes, isOption: false }
      return { inner, changes: Ledger.apply(state, 'C', bytes), accounts: after }
    })
  }
}

/**
 * Returns the time of the next P-chain block, at most `latest`, and the block without transactions at that time if it
 * changes the validators. The ledger allows no time after the next change of the validators.
 */
function advance(
  latest: bigint,
  attempt: (time: bigint) => Candidate,
): { readonly time: bigint; readonly empty: Candidate | undefined } {
  try {
    return { time: latest, empty: attempt(latest) }
  } catch (error) {
    if (!isFirnError(error)) throw error
    if (error.code === 'LEDGER_EMPTY_BLOCK') return { time: latest, empty: undefined }
    const { next } = error.details as { readonly next?: bigint }
    if (error.code !== 'LEDGER_TIME' || next === undefined || next >= latest) throw error
    return advance(next, attempt)
  }
}

/** Returns the transaction that proposes to reward a staker. */
function rewardOf({ txId, autoRenewal }: Records.Staker, time: bigint): PlatformTx.PlatformTx {
  const unsignedTx =
    autoRenewal === undefined
      ? { type: 'RewardValidatorTx' as const, txID: txId }
      : { type: 'RewardAutoRenewedValidatorTx' as const, txID: txId, timestamp: time }
  return { unsignedTx, credentials: [] }
}

/**
 * Returns whether a verified transaction stays valid until an input is spent or the price rises, which the ledger
 * checks. Other transactions also depend on stakers, subnets, L1s and the time.
 */
function isFinal(chain: ChainAlias, { tx }: Mempool.Entry): boolean {
  return chain !== 'P' || FINAL.has(tx.unsignedTx.type)
}

const FINAL: ReadonlySet<string> = new Set(['BaseTx', 'ImportTx', 'ExportTx', 'CreateSubnetTx'])

/** Runs `check` and returns the FirnError that it throws, if any. */
function errorOf(check: () => void): FirnError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (isFirnError(error)) return error
    throw error
  }
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

function seconds(ms: number): bigint {
  return BigInt(Math.floor(ms / 1_000))
}
