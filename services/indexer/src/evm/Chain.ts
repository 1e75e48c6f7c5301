import { EventAbi } from '@firn/evm'
import type { EvmTraceGaps, LogSelection } from '@firn/evm-store'
import { IndexerError } from '../common/IndexerError.ts'
import { type BalanceChecker, createBalanceChecker } from './background/BalanceChecker.ts'
import { type ContractReader, createContractReader } from './contracts/ContractReader.ts'
import { createStanding, type Standing } from './EvmChainStatus.ts'
import { createEvmHead, type EvmHead } from './EvmHead.ts'
import type { EvmChainOptions, Settings } from './EvmIndexerOptions.ts'
import { assertSameChain } from './StoredChain.ts'
import type { EvmMetrics } from './upstream/EvmMetrics.ts'
import { createEvmUpstream } from './upstream/EvmUpstream.ts'
import { createEvmUpstreams, type EvmUpstreams } from './upstream/EvmUpstreams.ts'
import { createJsonRpc } from './upstream/JsonRpc.ts'

/** An EVM chain that is indexed: its nodes, and its state. */
export interface Chain {
  readonly settings: Settings
  readonly options: EvmChainOptions
  readonly chainId: bigint
  /** Labels of the chain's metrics, and fields of its log lines. */
  readonly labels: { readonly chain: string }
  readonly metrics: EvmMetrics
  readonly upstreams: EvmUpstreams
  readonly head: EvmHead
  readonly contracts: ContractReader
  readonly checker: BalanceChecker
  readonly standing: Standing
  /** The logs to store if only events are stored. */
  readonly selection: LogSelection | undefined
  /** Reason why the chain is not served; undefined if the chain is served. */
  halted: string | undefined
}

/** Opens a chain. It sends no request until it is run. @throws IndexerError `INDEXER_CONFIGURATION` */
export function openChain(settings: Settings, options: EvmChainOptions, metrics: EvmMetrics): Chain {
  const { log, timing, longestPauseMs, pollMs } = settings
  const { store } = options
  const { chainId } = store
  const labels = { chain: `${chainId}` }
  const upstreams = openUpstreams(settings, options, metrics)
  const head = createEvmHead({ upstreams: upstreams.members, pollMs, log, ...timing })
  const selection = options.isEventsOnly ? selectLogs(options) : undefined
  if (selection !== undefined) {
    const depth = BigInt(settings.maxReorgDepth)
    upstreams.setLogs({ selection, lastFinal: () => (head.best()?.height ?? 0n) - depth })
  }
  const checker = createBalanceChecker({
    ...{ store, upstreams, log, ...timing },
    head: () => head.best()?.height,
    onChecked({ balances, differing }) {
      metrics.checkedBalances.inc(labels, balances)
      for (const one of differing) metrics.differing.inc({ ...labels, class: one.class })
      standing.measure()
    },
  })
  const checkedHeight = () => checker.height()
  const { clock } = timing
  const standing = createStanding({ chainId, head, upstreams, checkedHeight, metrics, clock, log })
  const contracts = createContractReader({ upstreams, longestPauseMs, ...timing })
  return {
    ...{ settings, options, chainId, labels, metrics },
    ...{ upstreams, head, contracts, checker, standing, selection },
    halted: undefined,
  }
}

/** Records the blocks of a chain whose internal calls are missing. */
export function setGaps({ standing, upstreams }: Chain, gaps: EvmTraceGaps.Gaps | undefined): void {
  standing.gaps = gaps
  upstreams.setGaps(gaps !== undefined)
  standing.measure()
}

function openUpstreams(
  settings: Settings,
  { store, upstreams, firstHeight = 0n }: EvmChainOptions,
  metrics: EvmMetrics,
): EvmUpstreams {
  const { timing, log, concurrency, maxBatch, longestPauseMs, traceTimeoutMs, maxReorgDepth } = settings
  const members = upstreams.map((one) =>
    createEvmUpstream({
      ...{ firstHeight, concurrency, maxBatch, longestPauseMs, traceTimeoutMs, log, metrics, ...timing },
      rpc: createJsonRpc({ ...one, observe: metrics.observe }),
      chainId: store.chainId,
      timeoutMs: one.timeoutMs,
      assertSameChain: (ask, name) => assertSameChain(ask, name, { store, maxReorgDepth }),
    }),
  )
  return createEvmUpstreams({ members, ...timing })
}

/** @throws IndexerError `INDEXER_CONFIGURATION` if there are no events */
function selectLogs({ store, events = [] }: EvmChainOptions): LogSelection {
  if (events.length === 0) {
    const message = `Only the events of chain ${store.chainId} are stored, but no events are given.`
    throw new IndexerError('INDEXER_CONFIGURATION', message)
  }
  return events.flatMap(({ event, addresses }) =>
    (addresses.length === 0 ? [undefined] : addresses).map((address) => ({
      topic0: EventAbi.topic(event),
      address,
    })),
  )
}
