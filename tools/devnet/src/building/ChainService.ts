import { CHAIN_ALIASES, type ChainAlias, isFirnError, Json } from '@firn/codec'
import { Upgrades } from '@firn/genesis'
import {
  type ChainAnswers,
  type ChainHandlers,
  type ChainRequestKind,
  HandlerPrefix,
  type PeerServerOptions,
  type Timers,
} from '@firn/p2p'
import { ANSWERS, isKnown, type View } from '../recorded/Answers.ts'
import { key } from '../State.ts'
import { type BlockBuilder, type BlockBuilderOptions, createBlockBuilder } from './BlockBuilder.ts'
import { type ChainStore, createChainStore } from './ChainStore.ts'
import type { DevnetGenesis } from './genesis.ts'

/** Options of {@link createChainService}. */
export interface ChainServiceOptions extends Omit<BlockBuilderOptions, 'rules'> {
  readonly genesis: DevnetGenesis
  /** Time in milliseconds from a transaction to its block. */
  readonly buildDelayMs: number
  /** Returns the P-chain's time in Unix milliseconds. */
  readonly nowMs: () => number
  readonly timers: Timers.Timers
}

/** The chains of a devnet that builds blocks, as its validators run them. */
export interface ChainService extends Pick<PeerServerOptions, 'onGossip'> {
  readonly builder: BlockBuilder
  readonly store: ChainStore
  /** Genesis file of the network (JSON). */
  readonly genesisFile: string
  /** Upgrade file of the network (JSON). */
  readonly upgradeFile: string
  /** Answers requests of peers for blocks, as every validator does. */
  readonly chains: ChainHandlers
  /** Adds pushed transactions to the mempools. Ignores invalid ones, as nodes do. */
  readonly onGossip: NonNullable<PeerServerOptions['onGossip']>
  /** Returns why validators would not accept a signed transaction by the rules of the ledger; undefined if they would. */
  refusal(chain: ChainAlias, bytes: Uint8Array): ReturnType<BlockBuilder['refusal']>
  /**
   * Verifies a signed transaction, and builds its block after the delay. Returns its id.
   * @throws CodecError, TxsError, LedgerError, DevnetError with the reason why no block can contain it
   */
  issue(chain: ChainAlias, bytes: Uint8Array): Uint8Array
  /** Builds all blocks that are due now. */
  build(): void
  close(): Promise<void>
}

/** Interval in milliseconds at which the validators look for stakers that start or end. */
const CLOCK_MS = 1_000

/** Starts the chains of a devnet that builds blocks. */
export function createChainService(options: ChainServiceOptions): ChainService {
  const { genesis, buildDelayMs, nowMs, timers } = options
  const store = createChainStore(genesis.rules)
  const builder = createBlockBuilder({
    ...options,
    rules: genesis.rules,
    onAccepted(built) {
      store.add(built)
      options.onAccepted?.(built)
    },
  })
  let timer: Timers.Timer | undefined
  const clock = setInterval(build, CLOCK_MS).unref()

  return {
    builder,
    store,
    genesisFile: genesis.genesisFile,
    upgradeFile: Json.stringify(Upgrades.toJSON(genesis.rules.constants.upgrades)),
    chains: {
      acceptedFrontier: (request) => answer('acceptedFrontier', request),
      accepted: (request) => answer('accepted', request),
      ancestors: (request) => answer('ancestors', request),
      pullQuery(request, peer) {
        const { chainId, containerId, requestId } = request
        const view = viewOf(chainId)
        // A node asks back for a block that it does not know.
        if (view !== undefined && !isKnown(view, containerId))
          peer.send({ case: 'get', value: { chainId, requestId, deadline: GET_DEADLINE_NS, containerId } })
        return answer('pullQuery', request)
      },
    },
    onGossip({ chainId, handlerId, transactions }) {
      const chain = aliasOf(chainId)
      if (chain === undefined || handlerId !== BigInt(GOSSIP_HANDLERS[chain])) return
      for (const bytes of transactions) {
        try {
          issue(chain, bytes)
        } catch (error) {
          if (!isFirnError(error)) throw error
        }
      }
    },
    refusal: (chain, bytes) => builder.refusal(chain, bytes, nowMs()),
    issue,
    build,
    async close() {
      timer?.cancel()
      clearInterval(clock)
      await store.close()
    },
  }

  function issue(chain: ChainAlias, bytes: Uint8Array): Uint8Array {
    const txId = builder.issue(chain, bytes, nowMs())
    timer ??= timers.setTimer(build, buildDelayMs)
    return txId
  }

  function build(): void {
    timer?.cancel()
    timer = undefined
    builder.build(nowMs())
    // Transactions remain if the P-chain's gas is used up for now.
    if (CHAIN_ALIASES.some((chain) => builder.mempools[chain].size > 0))
      timer = timers.setTimer(build, Math.max(buildDelayMs, CLOCK_MS))
  }

  function aliasOf(chainId: Uint8Array): ChainAlias | undefined {
    return CHAIN_ALIASES.find((alias) => key(builder.chains[alias].chainId) === key(chainId))
  }

  function viewOf(chainId: Uint8Array): View | undefined {
    const alias = aliasOf(chainId)
    const chain = alias && builder.chains[alias]
    return chain && { chain, height: chain.blocks.length - 1, floor: 0 }
  }

  function answer<K extends ChainRequestKind>(
    kind: K,
    request: Parameters<(typeof ANSWERS)[K]>[1] & { readonly chainId: Uint8Array },
  ): ChainAnswers[K] | undefined {
    const view = viewOf(request.chainId)
    return view && (ANSWERS[kind] as (typeof ANSWERS)[K])(view, request as never)
  }
}

const GET_DEADLINE_NS = 10_000_000_000n

/** The handler that receives pushed transactions of a chain. The C-chain's own handler receives EVM transactions. */
const GOSSIP_HANDLERS: Readonly<Record<ChainAlias, number>> = {
  P: HandlerPrefix.TX_GOSSIP,
  X: HandlerPrefix.TX_GOSSIP,
  C: HandlerPrefix.ATOMIC_TX_GOSSIP,
}
