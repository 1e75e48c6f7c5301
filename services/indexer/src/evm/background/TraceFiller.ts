import { Hex, isFirnError } from '@firn/codec'
import { type EvmStore, EvmTraceGaps, type EvmWriter } from '@firn/evm-store'
import type { Clock, Logger } from '@firn/runtime'
import { IndexerError } from '../../common/IndexerError.ts'
import { type WorkOptions, whileWriting } from '../../common/whileWriting.ts'
import type { ContractReader } from '../contracts/ContractReader.ts'
import { contractsOf } from '../contracts/contractsOf.ts'
import type { EvmUpstreams } from '../upstream/EvmUpstreams.ts'
import { untilAdvanced } from './untilAdvanced.ts'

/** Options of {@link fillDue}. */
export interface FillerOptions {
  readonly store: EvmStore
  readonly writer: Pick<
    EvmWriter,
    'fillTraces' | 'refreshDigests' | 'postponeTraces' | 'unknownContracts' | 'missingIndexes'
  >
  readonly upstreams: Pick<EvmUpstreams, 'tracedBlock' | 'blame'>
  readonly contracts: Pick<ContractReader, 'facts'>
  /** Longest time in milliseconds that a node may take for the traces of a block. */
  readonly traceTimeoutMs: number
  readonly clock: Clock
  readonly log: Logger
}

/** Longest time between two requests for the traces of a block, in milliseconds, unless the time limit is longer. */
const LONGEST_PAUSE_MS = 3_600_000

/**
 * Requests the missing traces of the next block whose turn it is, and stores them. If no node returns them, they are
 * requested again after twice the time. Returns whether there was such a block.
 * @throws StoreError
 */
export async function fillDue(options: FillerOptions, signal: AbortSignal): Promise<boolean> {
  const { store, writer, clock, log, traceTimeoutMs } = options
  const gap = await EvmTraceGaps.next(store)
  if (gap === undefined || Number(gap.due) * 1_000 > clock.now()) return false
  const facts = { chain: `${store.chainId}`, height: `${gap.height}` }
  try {
    if (await fill(options, gap, signal)) {
      log.info(facts, 'added the missing internal calls of a block')
      return true
    }
  } catch (error) {
    if (signal.aborted || !isFirnError(error) || !/^INDEXER_|^EVM_/.test(error.code)) throw error
    log.warn(
      { ...facts, code: error.code },
      `the internal calls of a block are still missing: ${error.message}`,
    )
  }
  // A node may still work on the request for as long as it was waited for.
  const pauseMs = Math.max(
    Math.min(traceTimeoutMs * 2 ** (gap.attempts + 1), LONGEST_PAUSE_MS),
    traceTimeoutMs,
  )
  await writer.postponeTraces(gap, BigInt(Math.ceil((clock.now() + pauseMs) / 1_000)))
  return true
}

/** Returns false if the block is no longer stored. @throws IndexerError; StoreError */
async function fill(
  { writer, upstreams, contracts }: FillerOptions,
  { height, hash }: { readonly height: bigint; readonly hash: Uint8Array },
  signal: AbortSignal,
): Promise<boolean> {
  const block = await upstreams.tracedBlock({ height, hash: Hex.encode(hash) }, signal)
  const seen = contractsOf(block)
  const unknown = await writer.unknownContracts([...seen.values()].map(({ address }) => address))
  const missing = unknown.flatMap((address) => seen.get(Hex.encode(address)) ?? [])
  const read = missing.length === 0 ? [] : await contracts.facts(missing, block, signal)
  try {
    return await writer.fillTraces({ block, contracts: read })
  } catch (error) {
    if (!isFirnError(error) || error.code !== 'STORE_BLOCK') throw error
    const wrong = new IndexerError('INDEXER_BLOCK', error.message, { details: { height: `${height}` } })
    upstreams.blame(block, wrong)
    throw wrong
  }
}

/**
 * Fills in missing traces, and computes the chain digests again that depend on them, until the signal is aborted. Calls
 * `onGaps` with the blocks whose traces are missing, each time before it looks for the next one. Tries again after faults.
 */
export async function fillContinuously(
  options: FillerOptions & WorkOptions & { readonly onGaps: (gaps: EvmTraceGaps.Gaps | undefined) => void },
  signal: AbortSignal,
): Promise<void> {
  const { store, writer, clock, onGaps } = options
  const fillNext = async () => {
    onGaps(await EvmTraceGaps.summary(store))
    // The earlier and later creations of a deployer are found by an index.
    const isReady = writer.missingIndexes === 0
    if (!isReady || !(await fillDue(options, signal))) await untilAdvanced(store, clock, signal)
  }
  const refreshNext = async () => {
    if (!(await writer.refreshDigests())) await untilAdvanced(store, clock, signal)
  }
  const facts = { chain: `${store.chainId}` }
  const loop = { ...options, facts }
  // A node may take minutes for the traces of a block. Digests do not wait for it.
  await Promise.all([
    whileWriting(fillNext, { ...loop, effect: 'missing internal calls are not added' }, signal),
    whileWriting(refreshNext, { ...loop, effect: 'chain digests are not computed again' }, signal),
  ])
}
