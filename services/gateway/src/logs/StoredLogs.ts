import { isDeepStrictEqual } from 'node:util'
import { Hex, isFirnError } from '@firn/codec'
import { EvmBlocks, EvmLogs, type EvmSnapshot, type EvmStore } from '@firn/evm-store'
import { connect } from '@firn/rpc'
import type { GatewayLog } from '../GatewayLog.ts'
import type { Calls } from '../json-rpc/RequestReader.ts'
import type { Nodes } from '../nodes/Nodes.ts'
import * as LogRequest from './LogRequest.ts'

/** Answers `eth_getLogs` from the logs that an indexer has stored. */
export interface StoredLogs {
  /**
   * Returns the answer to a request. Returns undefined if the request must be forwarded to a node: if it contains
   * other methods or invalid parameters, if the logs of its blocks are not all stored, or if there are too many.
   */
  answer(body: Uint8Array, calls: Calls, signal: AbortSignal): Promise<Uint8Array | undefined>
}

/** Options of {@link createStoredLogs}. */
export interface StoredLogsOptions {
  readonly store: EvmStore
  readonly nodes: Nodes
  /** Returns the current time in milliseconds. */
  readonly now: () => number
  readonly log: GatewayLog
}

const METHOD = 'eth_getLogs'
/** Maximum number of logs in an answer. Requests for more logs are forwarded, so that the limits of nodes apply. */
const MOST_LOGS = 10_000
/** Time after which the stored logs are compared with a node again, in milliseconds. */
const COMPARED_MS = 600_000
/** The same after a difference. */
const DIFFERENT_MS = 30_000
const LIMITS = { timeoutMs: 5_000, maxResponseBytes: 33_554_432 } as const
const EVERYTHING = { addresses: [], topics: [] } as const

/** How the chain's nodes write logs: newer nodes add the block's time. `different` if they have other logs. */
type Form = 'plain' | 'timed' | 'different'

/** The last comparison of stored logs with a node. */
interface Comparison {
  known: { readonly form: Form; readonly until: number } | undefined
  /** The comparison that runs, which concurrent requests share. */
  running: Promise<void> | undefined
}

interface Chain extends StoredLogsOptions {
  readonly comparison: Comparison
}

/** Creates the answers for one chain. */
export function createStoredLogs(options: StoredLogsOptions): StoredLogs {
  const chain: Chain = { ...options, comparison: { known: undefined, running: undefined } }
  return {
    async answer(body, { calls, isBatch }, signal) {
      if (!calls.every(({ method, id }) => method === METHOD && id !== undefined)) return undefined
      const parsed: unknown = JSON.parse(Buffer.from(body).toString())
      const requests = (isBatch ? parsed : [parsed]) as readonly { jsonrpc?: unknown; params?: unknown }[]
      const answers: string[] = []
      let most = MOST_LOGS
      try {
        for (const [i, { jsonrpc, params }] of requests.entries()) {
          const request = jsonrpc === '2.0' ? LogRequest.read(params) : undefined
          const logs = request && (await read(chain, request, most, signal))
          if (logs === undefined) return undefined
          most -= logs.length
          answers.push(`{"jsonrpc":"2.0","id":${calls[i]?.id},"result":${JSON.stringify(logs)}}`)
        }
      } catch (error) {
        signal.throwIfAborted()
        if (!isFirnError(error)) options.log.warn({ err: error }, 'stored logs are unavailable')
        return undefined
      }
      // Nodes end their answers with a line break.
      return Buffer.from(isBatch ? `[${answers.join(',')}]\n` : `${answers[0]}\n`)
    },
  }
}

/** Returns the logs of a request as nodes write them; undefined if a node must answer. */
async function read(
  chain: Chain,
  request: LogRequest.LogRequest,
  most: number,
  signal: AbortSignal,
): Promise<readonly object[] | undefined> {
  const { store } = chain
  const [at, first] = await Promise.all([store.snapshot(signal), EvmLogs.completeFrom(store)])
  if (first === undefined) return undefined
  const form = await formAt(chain, at, first, signal)
  if (form === 'different') return undefined
  const range = await rangeOf(chain, request, at, first, signal)
  if (range === undefined) return undefined
  const [from, to] = range
  const limit = most + 1
  const query = { order: 'asc', after: undefined, limit, from, until: to + 1n } as const
  const { logs, stoppedAt } = await EvmLogs.page(store, at, request.filter, query)
  if (logs.length === limit || stoppedAt !== undefined) return undefined
  // In the meantime, a reorg may have replaced the blocks, or logs may have been pruned.
  const [again, kept] = await Promise.all([store.snapshotAt(at.height, at.hash), EvmLogs.completeFrom(store)])
  if (again === undefined || kept === undefined || kept > from) return undefined
  return logs.map((one) => toJson(one, form))
}

async function formAt(chain: Chain, at: EvmSnapshot, first: bigint, signal: AbortSignal): Promise<Form> {
  const { comparison, now } = chain
  if (comparison.known === undefined || now() > comparison.known.until) {
    // If no node responds, the last result stays valid.
    const shared = AbortSignal.timeout(LIMITS.timeoutMs)
    comparison.running ??= compare(chain, at, first, shared).finally(() => {
      comparison.running = undefined
    })
    await comparison.running.catch((error: unknown) => {
      if (comparison.known === undefined) throw error
    })
  }
  signal.throwIfAborted()
  return comparison.known?.form ?? 'plain'
}

/** Compares the newest stored log with a node's answer. */
async function compare(chain: Chain, at: EvmSnapshot, first: bigint, signal: AbortSignal): Promise<void> {
  const { store, nodes, comparison, now, log } = chain
  const query = { order: 'desc', after: undefined, limit: 1, from: first } as const
  const { logs } = await EvmLogs.page(store, at, EVERYTHING, query)
  const [newest] = logs
  if (newest === undefined) return
  const answer = await ask(nodes, METHOD, [{ blockHash: Hex.encode(newest.blockHash) }], signal)
  const index = quantity(newest.logIndex)
  const theirs = (answer as readonly { readonly logIndex: string }[]).find(
    ({ logIndex }) => logIndex === index,
  )
  const form = (['plain', 'timed'] as const).find((one) => isDeepStrictEqual(theirs, toJson(newest, one)))
  if (form === undefined) {
    const facts = { height: newest.height, logIndex: newest.logIndex }
    log.warn(facts, "stored logs differ from a node's logs; eth_getLogs is forwarded")
  }
  comparison.known = {
    form: form ?? 'different',
    until: now() + (form === undefined ? DIFFERENT_MS : COMPARED_MS),
  }
}

/** Returns the first and the last height of a request; undefined if their logs are not all stored. */
async function rangeOf(
  { store, nodes }: Chain,
  { blocks }: LogRequest.LogRequest,
  at: EvmSnapshot,
  first: bigint,
  signal: AbortSignal,
): Promise<readonly [from: bigint, to: bigint] | undefined> {
  if ('hash' in blocks) {
    const block = await EvmBlocks.byHash(store, at, blocks.hash)
    return block === undefined || block.height < first ? undefined : [block.height, block.height]
  }
  const { from } = blocks
  if (from < first) return undefined
  // The node's newest block is the newest one that the caller may know.
  const to =
    blocks.to === 'latest' ? BigInt((await ask(nodes, 'eth_blockNumber', [], signal)) as string) : blocks.to
  return from <= to && to <= at.height ? [from, to] : undefined
}

function ask(nodes: Nodes, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
  const { observe } = nodes
  return nodes.attempt(
    ({ url }) => connect({ url: url.href, ...LIMITS, observe }).call(method, params, { signal }),
    { signal, order: nodes.order().filter(({ value }) => value.hasHttp) },
  )
}

/** Returns a log as nodes write it, with its members in the same order. */
function toJson(log: EvmLogs.Log, form: Form): object {
  return {
    address: Hex.encode(log.address),
    topics: log.topics.map((topic) => Hex.encode(topic)),
    data: Hex.encode(log.data),
    blockNumber: quantity(log.height),
    transactionHash: Hex.encode(log.transactionHash),
    transactionIndex: quantity(log.transactionIndex),
    blockHash: Hex.encode(log.blockHash),
    ...(form === 'timed' ? { blockTimestamp: quantity(log.time) } : {}),
    logIndex: quantity(log.logIndex),
    removed: false,
  }
}

function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`
}
